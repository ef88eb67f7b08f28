import { EventEmitter, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { checks } from '../src/check/list.ts';
import type { Probes } from '../src/check/probes.ts';
import { readiness } from '../src/health/readiness.ts';
import { againIn, createWaits, every, toldOnce, type Waits, within } from '../src/waits.ts';
import { notes } from './helpers/ledger/samples.ts';

let said: { words: string; facts: { again?: string } }[];
let waits: Waits;
beforeEach(() => {
  said = [];
  const keep = (facts: object, words: string) => void said.push({ words, facts });
  waits = createWaits({ debug: keep, info: keep, warn: keep, error: keep });
});

const limited = 'The panel limits the requests of its token.';

it('A wait of more than five seconds is one line at once, with its end', () => {
  waits.add(limited, 5_000);
  expect(said).toEqual([]);
  for (let time = 0; time < 3; time += 1) waits.add(limited, 40_000_000);
  expect(said).toHaveLength(1);
  expect(said[0]?.words).toBe(limited);
  const left = Date.parse(said[0]?.facts.again ?? '') - Date.now();
  expect(left).toBeGreaterThan(39_990_000);
  expect(left).toBeLessThanOrEqual(40_000_000);
});

it('Whoever logs that it tries again later is named, too, until then', () => {
  waits.log.warn({ problem: 'no', again: againIn(2_000) }, 'cannot post the trail yet: will retry');
  expect(waits.current()).toEqual([]);
  const again = againIn(60_000);
  waits.log.error({ again }, 'cannot post the trail yet: will retry');
  waits.log.warn({ again: againIn(-1_000) }, 'it is over');
  expect(waits.current()).toEqual([`Cannot post the trail yet: will retry. The bot waits until ${again}.`]);
  expect(said).toHaveLength(3);
});

it('/readyz names what is waited for, also while the bot starts', async () => {
  waits.add(limited, 60_000);
  waits.at('connects to Discord');
  expect(await readiness(waits.step(), waits.current(), Date.now)).toEqual({
    ready: false,
    parts: { bot: { ok: false, problem: 'The bot is starting: it connects to Discord.' } },
    warnings: [`${limited} The bot waits until ${said[0]?.facts.again}.`],
  });
});

it('/panel check has a line for it, and none without it', async () => {
  const waiting = checks.find(({ id }) => id === 'waiting');
  // The only probe of this check.
  const probes = { waits: () => Promise.resolve(waits.current()) } as unknown as Probes;
  const run = () => waiting?.run(probes);
  expect(await run()).toEqual([]);
  waits.add(limited, 60_000);
  expect(await run()).toMatchObject([
    { state: 'warning', words: { markup: expect.stringContaining('The panel limits the requests of its token') } },
  ]);
});

it('ends what takes too long, or is called off, also after garbage was collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const called = new AbortController();
  const waiting = (ms: number) =>
    within(ms, called.signal, (signal) => once(new EventEmitter(), 'said', { signal })).catch(
      ({ name }: Error) => name,
    );
  const [late, off] = [waiting(100), waiting(60_000)];
  setImmediate(() => typeof collect === 'function' && collect());
  expect(await late).toBe('AbortError');
  called.abort();
  expect([await off, await waiting(60_000)]).toEqual(['AbortError', 'AbortError']);
  expect(await within(60_000, new AbortController().signal, () => Promise.resolve('done'))).toBe('done');
});

it('What is done again and again is done one at a time, and its end waits for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns: (() => void)[] = [];
  const end = every(1_000, () => new Promise<void>((over) => turns.push(over)));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(turns).toHaveLength(1);
  turns[0]?.();
  await vi.advanceTimersByTimeAsync(2_000);
  const ended = vi.fn();
  const over = end().then(ended);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(turns).toHaveLength(2);
  expect(ended).not.toHaveBeenCalled();
  turns[1]?.();
  await over;
});

it('A trouble is said once, again after it was over, and not when the connection is closed on purpose', () => {
  const log = notes();
  const trouble = toldOnce(log, 'follow-up worker error');
  const lost = () => trouble.say('Connection is closed.');
  lost();
  lost();
  expect(log.lines).toHaveLength(1);
  trouble.over();
  lost();
  expect(log.lines).toHaveLength(2);
  trouble.over();
  trouble.end();
  lost();
  expect(log.lines).toHaveLength(2);
});
