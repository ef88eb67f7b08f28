import { describe, expect, it } from 'vitest';
import { ledgerIn } from '../../helpers/ledger/reading.ts';
import { answerTo, changes, historyOf, textOf, typed, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer, redisOf } from '../../helpers/redis-server.ts';
import { type BotProcess, startBot } from '../../helpers/stage.ts';
import { surroundings } from '../../helpers/surroundings.ts';

/** It has what idle bots have, in ms. */
async function expectSoon(bot: BotProcess): Promise<void> {
  const from = performance.now();
  expect((await bot.end('SIGTERM')).code).toBe(0);
  expect(performance.now() - from).toBeLessThan(10_000);
}

describe('a bot that is told to stop', () => {
  it('stops in time while its Redis is frozen and Discord is gone, and stops that Redis', async () => {
    const around = await surroundings();
    const bot = await startBot(around);
    const redis = await redisOf(bot.pid);
    process.kill(redis, 'SIGSTOP');
    await around.discord.close();
    await expectSoon(bot);
    await expect.poll(() => isThere(redis)).toBe(false);
  });

  it('takes nothing new, lets what is under way finish, then stops', async () => {
    const around = await surroundings();
    const bot = await startBot(around);
    around.panel.order({ kind: 'hang-before', match: { changes: true } });
    const id = await around.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await around.panel.until(() => changes(around).length === 1);
    bot.child.kill('SIGTERM');
    await until(() => bot.stderr().includes('"stopping"'), 'the stop in the log');
    // A second one changes nothing.
    bot.child.kill('SIGTERM');
    const note = await typed(around, '/firewall enable server:web-2', ['NOT-SENT'], 'bob');
    expect(textOf(note)).toContain('The bot is stopping. Nothing was sent. Try again in a minute.');
    expect(note.ephemeral).toBe(true);

    await around.panel.clear();
    const card = await answerTo(around, id, ['SUCCEEDED']);
    expect(await bot.ended).toBe(0);
    expect(historyOf({ ledger: () => ledgerIn(bot.dir) }, card)).toEqual(['intent', 'succeeded']);
    expect(changes(around)).toHaveLength(1);
  });
});

describeWithRedisServer('a bot that is told to stop, on a Redis of its own machine', () => {
  it.each([
    ['down', {}],
    ['frozen', {}],
    ['frozen, with the ledger in it, and Discord is gone', { LEDGER: 'redis' }],
  ])('is out in time while that is %s', async (state, env) => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const bot = await startBot(around, { env: { REDIS_URL: redis.url, ...env } });
    if (state === 'down') await redis.kill();
    else redis.freeze();
    if (state.includes('Discord')) await around.discord.close();
    await expectSoon(bot);
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
