import { expect, it, onTestFinished } from 'vitest';
import { embeddedRedis } from '../../src/app/redis-place.ts';
import type { Closing } from '../../src/app/store.ts';
import { startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { notes } from '../helpers/ledger/samples.ts';

/** An embedded Redis that does not start the first `failures` times, and how often it was tried. */
function reluctant(failures: number) {
  const closing: Closing = [];
  const log = notes();
  let tries = 0;
  const side = embeddedRedis({ log }, closing, {
    start: (ours) => (++tries > failures ? startEmbeddedRedis(ours) : Promise.reject(new Error('no memory'))),
    first: 1,
  });
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed()) await each();
  };
  onTestFinished(close);
  return { side, close, tries: () => tries, said: () => log.lines.filter((line) => line.includes('does not start')) };
}

it('The embedded Redis starts when the bot is ready, and not before', async () => {
  const { side, tries } = reluctant(0);
  expect([side.now(), tries()]).toEqual([undefined, 0]);
  side.begin();
  const { connection } = await side.opened;
  expect(await connection.redis.ping()).toBe('PONG');
  expect(side.now()?.connection).toBe(connection);
});

it('An embedded Redis that does not start is tried until it does, and each failure is logged', async () => {
  const { side, tries, said } = reluctant(2);
  side.begin();
  expect(await (await side.opened).connection.redis.ping()).toBe('PONG');
  expect([tries(), said().length]).toEqual([3, 2]);
});

it('A bot that stops gives up on an embedded Redis that does not start', async () => {
  const { side, close, tries } = reluctant(Number.POSITIVE_INFINITY);
  side.begin();
  await expect.poll(tries).toBeGreaterThan(1);
  await close();
  await expect(side.opened).rejects.toThrow();
  expect(side.now()).toBeUndefined();
});
