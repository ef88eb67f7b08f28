import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerIn } from '../../helpers/ledger/reading.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { answerTo, changes, historyOf, textOf, typed, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer, redisOf } from '../../helpers/redis-server.ts';
import { type BotProcess, environmentFor, run, startBot } from '../../helpers/stage.ts';
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

it('A bot that is told to stop while it starts, and has to wait for a collector, stops in order once it has started', async () => {
  const around = await surroundings();
  const collector = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void collector.close());
  await once(collector, 'listening');
  // Its address is an object, as it listens on TCP.
  const { port } = collector.address() as AddressInfo;
  around.discord.order({ kind: 'delay', ms: 1_000, match: { path: '/gateway/bot' } });
  const [cwd, dir] = [folder(), join(folder(), 'data')];
  const env = { ...environmentFor(around, dir), OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const bot = run(env, { cwd });
  onTestFinished(async () => void (await bot.end('SIGKILL')));
  await until(() => around.discord.requests.some(({ path }) => path.endsWith('/gateway/bot')), 'its login', 20_000);
  bot.child.kill('SIGTERM');
  expect(await bot.ended).toBe(0);
  const lines = readFileSync(join(dir, 'ledger.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['started', 'stopped']);
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
