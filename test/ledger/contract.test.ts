import { expect, test } from 'vitest';
import { seal, toLine, verify } from '../../src/ledger/chain.ts';
import { isOfRun, type NewRunEntry, type RunEntry } from '../../src/runs/entry.ts';
import { describeEachPlace, failure } from '../helpers/ledger/places.ts';
import { asked, confirmed, denied, intent, outcome, refusal } from '../helpers/ledger/samples.ts';

const zeros = '0'.repeat(64);

describeEachPlace('A ledger', (place) => {
  test('can be tried without recording anything', async () => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.probe();
    expect([ledger.head().seq, await lines()]).toEqual([0, []]);
  });

  test('writes one line an entry, which verifies, and gives the entries back with their places', async () => {
    const { open, lines } = place();
    const ledger = await open();
    expect(ledger.head()).toEqual({ seq: 0, hash: zeros });
    const [first, second] = await ledger.append([asked('a.1'), asked('a.2')]);
    expect(first).toMatchObject({ seq: 1, run: 'a.1', time: '2026-11-19T22:00:00.000Z' });
    expect(second).toMatchObject({ seq: 2, run: 'a.2', prev: first?.hash });
    expect(ledger.head()).toEqual({ seq: 2, hash: second?.hash });
    expect(verify(await lines())).toEqual({ ok: true, count: 2, head: second?.hash });
  });

  test('knows after reopening what it knew, and goes on with the chain', async () => {
    const { open, lines } = place();
    const before = await open();
    const questions = await before.append([asked('b.1'), asked('b.2'), denied('c.1')]);
    await before.append(questions.slice(0, 2).filter(isOfRun).map(confirmed));
    await before.append([intent('b.1')]);
    await before.append([outcome('b.1')]);
    const head = before.head();
    await before.close();

    const after = await open();
    expect(after.head()).toEqual(head);
    expect(after.open().map(({ run }) => run)).toEqual(['b.2']);
    const [run] = after.runs('b');
    expect([run?.asked?.seq, run?.confirmed?.seq, run?.intent?.seq, run?.outcome?.seq]).toEqual([1, 4, 6, 7]);
    expect(after.runs('c')[0]?.outcome?.kind).toBe('denied');
    await after.append([intent('b.2')]);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 8 });
  });

  test('gives all of its entries, oldest first, also those from before it was opened', async () => {
    const { open } = place();
    const before = await open();
    expect([...before.entries()]).toEqual([]);
    const first = await before.append([asked('n.1'), asked('n.2')]);
    expect([...before.entries()]).toEqual(first);
    await before.close();
    const after = await open();
    const second = await after.append([intent('n.3')]);
    expect([...after.entries()]).toEqual([...first, ...second]);
  });

  test('orders the runs of an invocation by number, and lists the open ones oldest first', async () => {
    const ledger = await place().open();
    await ledger.append(['d.10', 'd.2', 'd.1'].map(asked));
    await ledger.append([intent('e.1')]);
    await ledger.append([outcome('d.2')]);
    expect(ledger.runs('d').map(({ run }) => run)).toEqual(['d.1', 'd.2', 'd.10']);
    expect(ledger.runs('nobody')).toEqual([]);
    expect(ledger.open().map(({ run }) => run)).toEqual(['d.10', 'd.1', 'e.1']);
  });

  test('keeps what was appended, whatever becomes of the objects it was given', async () => {
    const { open, lines } = place();
    const ledger = await open();
    const entry: NewRunEntry = { ...intent('f.1'), place: { guild: '1', channel: '2' } };
    const appended = ledger.append([entry]);
    entry.place.channel = '3';
    await appended;
    expect(ledger.runs('f')[0]?.intent?.place.channel).toBe('2');
    expect(verify(await lines())).toMatchObject({ ok: true, count: 1 });
  });

  test('keeps every character, whatever it is', async () => {
    const { open, lines } = place();
    const ledger = await open();
    const said = 'caf\u00e9 \u{1f600} \ud800 \u0000 \u2028 \ufffd "\\\n';
    await ledger.append([outcome('f.1', said)]);
    await ledger.close();
    expect((await open()).runs('f')[0]?.outcome?.said).toBe(said);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 1 });
  });

  test('records appends that arrive together in the order in which they came', async () => {
    const { open, lines } = place();
    const ledger = await open();
    const runs = Array.from({ length: 200 }, (_, number) => `g.${number + 1}`);
    const entries = await Promise.all(runs.map((run) => ledger.append([asked(run), outcome(run)])));
    expect(entries.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
    expect((await lines()).map((line) => JSON.parse(line).run)).toEqual(runs.flatMap((run) => [run, run]));
    expect(verify(await lines())).toMatchObject({ ok: true, count: 400 });
  });

  test('is opened with thousands of entries in it', async () => {
    const { open, write } = place();
    let prev = zeros;
    const lines = Array.from({ length: 2_500 }, (_, at) => {
      const entry = seal(at % 2 === 0 ? intent(`h${at}.1`) : outcome(`h${at - 1}.1`), at + 1, '2026-11-19', prev);
      prev = entry.hash;
      return toLine(entry);
    });
    await write(lines);
    const ledger = await open();
    expect(ledger.head()).toEqual({ seq: 2_500, hash: prev });
    expect(ledger.open()).toEqual([]);
  });

  test('takes nothing after it was closed', async () => {
    const { open } = place();
    const ledger = await open();
    const last = ledger.append([intent('a.1')]);
    await ledger.close();
    await last;
    expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
    expect((await open()).head().seq).toBe(1);
  });

  test('is not opened when an entry was changed, and is left as it is', async () => {
    const { open, lines, write } = place();
    const before = await open();
    await before.append([intent('a.1'), outcome('a.1', 'no')]);
    await before.close();
    const changed = (await lines()).map((line) => line.replace('"said":"no"', '"said":"ok"'));
    await write(changed);
    for (const _attempt of ['first', 'second'])
      await expect(open()).rejects.toMatchObject({ name: 'LedgerDamaged', seq: 2 });
    expect(await lines()).toEqual(changed);
  });

  test('is opened although a run has two outcomes in it: the rules are for what is appended', async () => {
    const { open, write } = place();
    const first = seal(outcome('a.1'), 1, '2026-11-19', zeros);
    const second = seal(outcome('a.1'), 2, '2026-11-19', first.hash);
    await write([toLine(first), toLine(second)]);
    const ledger = await open();
    expect(ledger.runs('a').map((each) => each.outcome?.seq)).toEqual([2]);
    expect(await refusal(ledger.append([outcome('a.1')]))).toEqual(['second', 2]);
  });
});

const held = (reason: 'redis-unavailable' | 'ledger-unavailable' | 'bot-restarted') => ({
  ...outcome('a.1'),
  outcome: 'unavailable' as const,
  reason,
});

/** Of another run. */
const onSameServer = (run: string, other: string): NewRunEntry => ({ ...intent(run), run: other });
const unknown = { ...outcome('a.1'), outcome: 'unknown' as const, reason: 'timeout' as const };
const resolved: NewRunEntry = { ...intent('a.1'), kind: 'resolved', happened: true, why: 'seen' };
const cancelled = { ...outcome('a.1'), outcome: 'cancelled' as const, reason: 'cancelled' as const };

describeEachPlace('A run', (place) => {
  test.each([
    ['a second outcome', [outcome('a.1')], outcome('a.1'), 'second', 1],
    ['an outcome after a denial', [denied('a.1')], outcome('a.1'), 'second', 1],
    ['a denial after an outcome', [outcome('a.1')], denied('a.1'), 'second', 1],
    ['a second intent', [intent('a.1')], intent('a.1'), 'second', 1],
    ['an intent after its outcome', [asked('a.1'), outcome('a.1')], intent('a.1'), 'second', 2],
    ['an intent while its question waits', [asked('a.1')], intent('a.1'), 'out-of-order', 1],
    ['an intent while another is open on its server', [intent('c.1')], onSameServer('c.1', 'a.1'), 'server-busy', 1],
    ['a second question', [asked('a.1')], asked('a.1'), 'second', 1],
    ['a denial after its intent', [intent('a.1')], denied('a.1'), 'second', 1],
    ['an end that says nothing was sent after its intent', [intent('a.1')], held('redis-unavailable'), 'second', 1],
    ['a restart before it after its intent', [intent('a.1')], held('bot-restarted'), 'second', 1],
    [
      'an end that nobody at work could tell while its question waits',
      [asked('a.1')],
      held('redis-unavailable'),
      'out-of-order',
      1,
    ],
    [
      'an intent from before the last change of its server ended',
      [intent('c.1'), outcome('c.1')],
      { ...onSameServer('c.1', 'a.1'), seen: 1 },
      'stale',
      2,
    ],
    ['what somebody says of an end that is known', [intent('a.1'), outcome('a.1')], resolved, 'out-of-order', 2],
    ['what somebody says of an end a second time', [intent('a.1'), unknown, resolved], resolved, 'second', 3],
  ])('is refused %s', async (_what, before, entry, rule, by) => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append(before);
    expect(await refusal(ledger.append([asked('b.1'), entry]))).toEqual([rule, by]);
    expect(await lines()).toHaveLength(before.length);
    expect(ledger.runs('b')).toEqual([]);
  });

  test.each<[string, (question: RunEntry) => NewRunEntry[], (question: RunEntry) => NewRunEntry, string, number]>([
    ['confirmed twice', (question) => [confirmed(question)], confirmed, 'second', 2],
    ['confirmed after it was cancelled', () => [cancelled], confirmed, 'second', 2],
    ['cancelled after it was confirmed', (question) => [confirmed(question)], () => cancelled, 'second', 2],
    [
      'confirmed as another question',
      () => [],
      ({ run }) => confirmed({ run, hash: 'b'.repeat(64) }),
      'out-of-order',
      1,
    ],
    ['confirmed when its time is over', () => [], confirmed, 'expired', 1],
  ])('whose question waits cannot be %s', async (what, before, entry, rule, by) => {
    const ledger = await place().open();
    const question = what.endsWith('over') ? { ...asked('a.1'), expires: '2026-11-19T22:00:00.000Z' } : asked('a.1');
    const [recorded = expect.fail()] = (await ledger.append([question])).filter(isOfRun);
    await ledger.append(before(recorded));
    expect(await refusal(ledger.append([entry(recorded)]))).toEqual([rule, by]);
  });

  test('whose intent was recorded too late for its request ends so all the same', async () => {
    const ledger = await place().open();
    await ledger.append([intent('a.1')]);
    await ledger.append([held('ledger-unavailable')]);
    expect(ledger.runs('a')[0]?.outcome?.reason).toBe('ledger-unavailable');
  });

  test('gets one of two outcomes that arrive together', async () => {
    const { open, lines } = place();
    const ledger = await open();
    const both = [ledger.append([outcome('a.1')]), ledger.append([outcome('a.1')]), ledger.append([outcome('a.2')])];
    expect(await Promise.all(both.map(refusal))).toMatchObject([[{ seq: 1 }], ['second', 1], [{ seq: 2 }]]);
    expect(await lines()).toHaveLength(2);
  });
});
