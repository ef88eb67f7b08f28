import { expect, it } from 'vitest';
import {
  type BotProcess,
  folder,
  ownRedisServer,
  type Surroundings,
  startBot,
  surroundings,
} from '../../helpers/bot-process.ts';
import { answerTo, asks, changes, ended, idOf, messageOf, stateOf, textOf, until } from '../../helpers/messages.ts';
import { startQuickBot } from '../../helpers/quick-bot.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

/** Two full processes on one token, one Redis and one ledger. */
async function two(): Promise<{ around: Surroundings; bots: [BotProcess, BotProcess] }> {
  const [around, redis] = [await surroundings(), await ownRedisServer()];
  const env = { REDIS_URL: redis.url, LEDGER: 'redis' };
  return { around, bots: [await startBot(around, { env }), await startBot(around, { env })] };
}

const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1', 'vpn-1', 'lab-1'];

describeWithRedisServer('two processes with one ledger', () => {
  it('do every command once, and ask every question once', async () => {
    const { around } = await two();
    const ids = await Promise.all(
      servers.map((server) => around.discord.type('alice', 'ops', `/firewall enable server:${server}`)),
    );
    for (const id of ids) await answerTo(around, id, ['SUCCEEDED']);
    expect(changes(around).map(({ path }) => path)).toHaveLength(10);
    expect(new Set(changes(around).map(({ path }) => path)).size).toBe(10);
    for (const server of ['web-1', 'web-2', 'web-3']) {
      const card = await asks(around, `/firewall flush server:${server}`);
      const confirm = idOf(card, 'Confirm');
      await Promise.all([1, 2, 3].map(() => around.discord.click('alice', card.id, confirm)));
      expect(stateOf(await ended(around, card))).toBe('SUCCEEDED');
    }
    expect(changes(around)).toHaveLength(13);
    expect(around.discord.messages('alice', 'ops').filter(({ answers }) => answers !== undefined)).toHaveLength(13);
  });

  it('continue when one is killed, and the other finishes its cards', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const start = () =>
      startQuickBot(around, {
        ...{ dataDir: folder(), redisUrl: redis.url, ledger: 'redis' },
        intervals: { recover: 50, alive: 2_000 },
      });
    const killed = await start();
    const question = await asks(around, '/firewall flush server:web-3');
    around.panel.order({ kind: 'hang-before', match: { changes: true }, times: 0 });
    const ids = await Promise.all(
      ['web-1,web-2', 'db-1', 'db-2'].map((server) =>
        around.discord.type('alice', 'ops', `/firewall enable server:${server}`),
      ),
    );
    await around.panel.until(() => changes(around).length === 3);
    await start();
    await killed.kill();
    await around.panel.clear();

    await around.discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(around, question))).toBe('SUCCEEDED');
    for (const id of ids) {
      const isUnknown = () =>
        around.discord.messages('alice', 'ops').find((one) => one.answers === id && stateOf(one) === 'UNKNOWN');
      const card = await around.discord.until(isUnknown, 30_000);
      expect(textOf(card)).toContain('The bot stopped while the request was under way.');
    }
    expect(changes(around)).toHaveLength(4);
  });

  it('know of each other what a button of theirs was left with', async () => {
    const { around } = await two();
    for (const server of ['web-1', 'web-2', 'web-3']) {
      around.panel.order({ kind: 'hang-before', match: { changes: true } });
      const sent = changes(around).length;
      const first = await around.discord.type('alice', 'ops', `/firewall enable server:${server}`);
      await around.panel.until(() => changes(around).length > sent);
      const second = await around.discord.type('alice', 'ops', `/firewall sync server:${server}`);
      const blocked = await answerTo(around, second, ['BLOCKED']);
      await around.panel.clear();
      await answerTo(around, first, ['SUCCEEDED']);
      const again = await around.discord.click('alice', blocked.id, idOf(blocked, 'Ask again'));
      await answerTo(around, again, ['SUCCEEDED']);
    }
  });

  it('leave what comes to the other one when one of them stops', async () => {
    const { around, bots } = await two();
    const [stopped] = bots;
    stopped.kill('SIGTERM');
    await until(() => stopped.logged().includes('"stopping"'), 'the stop in the log');
    const id = await around.discord.type('alice', 'ops', '/firewall enable server:web-1');
    const card = await answerTo(around, id, ['SUCCEEDED']);
    expect(card.ephemeral).toBe(false);
    expect(await stopped.ended).toBe(0);
    expect(stateOf(messageOf(around, card.id))).toBe('SUCCEEDED');
    expect(changes(around)).toHaveLength(1);
  });
});

describeWithRedisServer('a process whose ledger is in a Redis', () => {
  it.each(['killed', 'frozen'] as const)(
    'gives every command its card while that is %s, and works again after',
    {
      timeout: 60_000,
    },
    async (state) => {
      const [around, redis] = [await surroundings(), await ownRedisServer()];
      const bot = await startBot(around, { env: { REDIS_URL: redis.url, LEDGER: 'redis' } });
      const backs = (): number => bot.logged().match(/"level":30,.*"Redis is back"/g)?.length ?? 0;
      if (state === 'killed') await redis.kill();
      else redis.freeze();
      for (const round of ['the first', 'the second']) {
        const from = performance.now();
        const [change, read] = await Promise.all([
          around.discord.type('alice', 'ops', '/firewall enable server:web-1,web-2,web-3'),
          around.discord.type('alice', 'ops', '/firewall show server:web-1'),
        ]);
        await Promise.all([answerTo(around, change, ['UNAVAILABLE']), answerTo(around, read, ['SUCCEEDED'])]);
        expect(performance.now() - from, round).toBeLessThan(6_000);
      }
      if (state === 'killed') await redis.restart();
      else redis.thaw();
      await until(() => backs() === 1, 'Redis is back');
      const work = async (): Promise<string> => {
        const id = await around.discord.type('alice', 'ops', '/firewall enable server:web-1');
        return stateOf(await answerTo(around, id, ['SUCCEEDED', 'UNAVAILABLE']));
      };
      await expect.poll(work, { timeout: 3_000 }).toBe('SUCCEEDED');
      expect(changes(around)).toHaveLength(1);
    },
  );
});

describeWithRedisServer('a process that is only a worker', () => {
  it('connects to no gateway, takes no commands, and stops in time', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const worker = await startBot(around, {
      env: { REDIS_URL: redis.url, LEDGER: 'redis' },
      args: ['--role=worker'],
    });
    const asked = around.discord.requests.map(({ method, path }) => `${method} ${path.replace(/^.*\/v10/, '')}`);
    expect(asked).toContain('GET /applications/@me');
    expect(asked).not.toContain('GET /gateway/bot');
    const { how, ms } = await worker.stops();
    expect(how).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});
