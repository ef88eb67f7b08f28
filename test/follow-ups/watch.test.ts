import { describe, expect, it, onTestFinished } from 'vitest';
import { blindAfter, createLooks, type JobStatus, nothingSeen, type Seen } from '../../src/follow-ups/seen.ts';
import { createWatcher, type Watching, watch } from '../../src/follow-ups/watch.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { toldOnce } from '../../src/waits.ts';
import { ended, follow, stepsOf } from '../helpers/follow-ups/bench.ts';
import { notes, openLedger } from '../helpers/ledger/samples.ts';

const minute = 60_000;

/** One process that looks at jobs. `look`: what the panel answers. */
function watcher(ledger: Ledger, { look, readable = true }: { look(): Promise<JobStatus>; readable?: boolean }) {
  const news: string[] = [];
  const clock = { ahead: 0 };
  const from = Date.now();
  const now = (): number => from + clock.ahead;
  const stuckAfter = (command: string) => (command === 'power.shutdown' ? 2 * minute : undefined);
  const looks = createLooks({
    ...{ ledger, readable: () => readable, stuckAfter, changed: (id) => void news.push(id), now },
  });
  const parts: Watching & Pick<Parameters<typeof createWatcher>[0], 'within'> = {
    within: (_run, turn) => turn(),
    ...{ ledger, looks, stuckAfter, now, random: () => 0.5, trouble: toldOnce(notes(), '') },
    source: { turn: () => Promise.resolve(0), look },
    intervals: { first: 5_000, most: minute, retry: 1_000 },
  };
  const turn = (before: Seen = nothingSeen) => watch(parts, 'a.1', before);
  return { news, clock, now, looks, parts, turn };
}

/** The same, of a job that is followed. */
async function following(answers: Parameters<typeof watcher>[1], how: Parameters<typeof follow>[2] = {}) {
  const ledger = await openLedger();
  await follow(ledger, 'a.1', how);
  return { ledger, ...watcher(ledger, answers) };
}

const seen = (progress: number): JobStatus => ({ kind: 'seen', state: 'running', word: 'running', progress });
const looksAt = (answer: JobStatus) => ({ look: () => Promise.resolve(answer) });

it('News of a job is stored and drawn, and no change is not', async () => {
  let progress = 40;
  const one = await following({ look: () => Promise.resolve(seen(progress)) });
  expect(one.looks.of('a.1')).toBeUndefined();
  const first = await one.turn();
  expect(one.news).toEqual(['a']);
  expect(one.looks.of('a.1')).toMatchObject({ word: 'running', progress: 40 });
  const second = await one.turn(first === 'over' ? nothingSeen : first.seen);
  expect(one.news).toEqual(['a']);
  progress = 41;
  await one.turn(second === 'over' ? nothingSeen : second.seen);
  expect(one.news).toEqual(['a', 'a']);
});

it('What was seen stays known, and is forgotten at the end', async () => {
  const one = await following(looksAt(seen(40)));
  await one.turn();
  one.clock.ahead = 5 * minute;
  expect(one.looks.of('a.1')).toMatchObject({ progress: 40 });
  await one.ledger.append([ended('a.1', 'stopped')]);
  expect(one.looks.of('a.1')).toBeUndefined();
  expect(await one.turn()).toBe('over');
});

it('Restores that cannot be read are said to be so, and runs that nobody follows are not known', async () => {
  const one = await following({ ...looksAt({ kind: 'no-read' }), readable: false });
  expect(one.looks.of('a.1')).toBe('no-read');
  expect(one.looks.of('b.1')).toBeUndefined();
});

it('A job that cannot be seen any more is shown as that, and since when', async () => {
  const one = await following(looksAt({ kind: 'failed', why: 'timeout' }));
  const at = Date.now() - minute;
  await one.turn({ word: 'running', at, newsAt: at, looks: 9, failures: blindAfter - 1 });
  expect(one.looks.of('a.1')).toMatchObject({ word: 'running', at, blind: true });
  expect(one.news).toEqual(['a', 'a']);
});

it('A job that takes longer than its command usually does is looked at then, and shown as late', async () => {
  const one = await following(looksAt(seen(10)), { follow: 'power', command: 'power.shutdown' });
  one.clock.ahead = 2 * minute - 3_000;
  const next = await one.turn({ looks: 99, failures: 0 });
  if (next === 'over') throw new Error('it goes on');
  expect(Math.abs(next.at - (one.now() + 3_000))).toBeLessThan(1_000);
  expect(one.looks.of('a.1')).not.toHaveProperty('late');
  one.clock.ahead = 2 * minute;
  const drawn = one.news.length;
  await one.turn(next.seen);
  expect(one.looks.of('a.1')).toMatchObject({ late: true });
  expect(one.news.length).toBe(drawn + 1);
});

it('An end is recorded as the panel tells it', async () => {
  const one = await following(looksAt({ kind: 'seen', state: 'failed', word: 'failed', message: 'no space left' }));
  expect(await one.turn()).toBe('over');
  expect(one.ledger.entries().at(-1)).toMatchObject({ step: 'ended', end: 'failed', said: 'no space left' });
});

it('Of two who see the end, one records it', async () => {
  const ledger = await openLedger();
  await follow(ledger, 'a.1');
  const look = async (): Promise<JobStatus> => {
    await ledger.append([ended('a.1', 'finished')]);
    return { kind: 'seen', state: 'succeeded', word: 'completed' };
  };
  const one = watcher(ledger, { look });
  expect(await one.turn()).toBe('over');
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended']);
});

it('What a person said while the panel was asked is over at the next turn', async () => {
  const ledger = await openLedger();
  await follow(ledger, 'a.1');
  const look = async (): Promise<JobStatus> => {
    await ledger.append([ended('a.1', 'stopped')]);
    return seen(40);
  };
  const one = watcher(ledger, { look });
  await one.turn();
  expect(await one.turn()).toBe('over');
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended']);
});

it('The deadline takes a last look, which may see the end', async () => {
  const ledger = await openLedger();
  await follow(ledger, 'a.1', { deadline: Date.now() });
  await follow(ledger, 'b.1', { deadline: Date.now() });
  const answers: JobStatus[] = [{ kind: 'seen', state: 'succeeded', word: 'completed' }];
  const one = watcher(ledger, { look: () => Promise.resolve(answers.shift() ?? { kind: 'failed', why: 'timeout' }) });
  await one.turn();
  expect(ledger.entries().at(-1)).toMatchObject({ end: 'finished' });
});

it('What was not seen to end by the deadline is unknown, and what was last seen is recorded', async () => {
  const ledger = await openLedger();
  await follow(ledger, 'a.1', { deadline: Date.now() });
  await watcher(ledger, looksAt({ kind: 'failed', why: 'timeout' })).turn({
    word: 'running',
    progress: 40,
    looks: 1,
    failures: 0,
  });
  expect(ledger.entries().at(-1)).toMatchObject({ end: 'unknown', detail: expect.stringMatching(/40\s%/) });
});

it('Without a read, the policy is checked every minute for one, until the deadline', async () => {
  const ledger = await openLedger();
  const deadline = Date.now() + 90_000;
  await follow(ledger, 'a.1', { deadline });
  const one = watcher(ledger, { ...looksAt({ kind: 'no-read' }), readable: false });
  const next = await one.turn();
  expect(next === 'over' ? 0 : Math.abs(next.at - (one.now() + minute))).toBeLessThan(1_000);
  one.clock.ahead = minute;
  expect(await one.turn()).toMatchObject({ at: deadline });
});

it('A look that the ledger or Redis interrupts is retried with growing pauses', async () => {
  const one = await following({ look: () => Promise.reject(new Error('away')) });
  const first = await one.turn();
  if (first === 'over') throw new Error('it goes on');
  expect(first).toMatchObject({ seen: { cut: 1 } });
  const second = await one.turn({ ...first.seen, cut: 20 });
  expect(second === 'over' ? 0 : second.at - Date.now()).toBeGreaterThan(40_000);
});

it('A job that wakes before its turn keeps it, and goes when it has come', async () => {
  let looks = 0;
  const look = (): Promise<JobStatus> => {
    looks += 1;
    return Promise.resolve(seen(40));
  };
  const one = await following({ look });
  const turn = one.now() + 50;
  expect(await one.turn({ ...nothingSeen, turn })).toEqual({ at: turn, seen: { ...nothingSeen, turn } });
  expect(looks).toBe(0);
  one.clock.ahead = 60;
  expect(await one.turn({ ...nothingSeen, turn })).toMatchObject({ seen: { looks: 1 } });
  expect(looks).toBe(1);
});

describe('a job that is followed', () => {
  const closed = (parts: Parameters<typeof createWatcher>[0]) => {
    const watcher = createWatcher(parts);
    onTestFinished(() => watcher.close());
    return watcher;
  };

  it('is looked at until it is over, once for all who ask', async () => {
    const ledger = await openLedger();
    await follow(ledger, 'a.1');
    const answers: JobStatus[] = [seen(40), { kind: 'failed', why: 'timeout' }, seen(41)];
    let looks = 0;
    const look = (): Promise<JobStatus> => {
      looks += 1;
      return Promise.resolve(answers.shift() ?? { kind: 'seen', state: 'succeeded', word: 'completed' });
    };
    const { parts } = watcher(ledger, { look });
    const all = closed({ ...parts, now: Date.now, intervals: { first: 1, most: 1, retry: 1 } });
    await Promise.all([all.follow('a.1'), all.follow('a.1')]);
    expect(looks).toBe(4);
    expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended']);
    await all.follow('a.1');
    expect(looks).toBe(4);
  });

  it('from before this process is said to be unseen since it began to watch, until a look succeeds', async () => {
    let answer: (look: JobStatus) => void = () => undefined;
    const asked = new Promise<JobStatus>((resolve) => {
      answer = resolve;
    });
    const one = await following({ look: () => asked });
    one.clock.ahead = minute;
    const all = closed({ ...one.parts, intervals: { first: minute, most: minute, retry: minute } });
    void all.follow('a.1');
    await expect.poll(() => one.looks.of('a.1')).toEqual({ since: one.now() });
    answer(seen(40));
    await expect.poll(() => one.looks.of('a.1')).toMatchObject({ progress: 40 });
    expect(one.looks.of('a.1')).not.toHaveProperty('since');
  });

  it('is looked at in time where the clock is set back', async () => {
    let [looks, back] = [0, 0];
    const one = await following({
      look() {
        looks += 1;
        return Promise.resolve(seen(40));
      },
    });
    const pace = { first: 100, most: 100, retry: 100 };
    void closed({ ...one.parts, now: () => Date.now() - back, intervals: pace }).follow('a.1');
    await expect.poll(() => looks).toBe(1);
    back = 60 * minute;
    await expect.poll(() => looks).toBeGreaterThan(1);
  });

  it('is left where it is at a stop, however long the next look is away', async () => {
    const one = await following(looksAt(seen(40)));
    const all = createWatcher(one.parts);
    const watching = all.follow('a.1');
    await expect.poll(() => one.looks.of('a.1')).toMatchObject({ progress: 40 });
    await all.close();
    await watching;
    expect(stepsOf(one.ledger, 'a.1')).toEqual(['started']);
  });

  it('may be one of a dozen, and standard error says nothing of it', async () => {
    const ledger = await openLedger();
    const runs = Array.from({ length: 12 }, (_, at) => `j${at}.1`);
    for (const run of runs) await follow(ledger, run);
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const one = watcher(ledger, looksAt(seen(40)));
    const all = closed(one.parts);
    for (const run of runs) void all.follow(run);
    await expect.poll(() => runs.filter((run) => one.looks.of(run) === undefined)).toEqual([]);
    await all.close();
    // Node says it a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});
