import { expect, test } from 'vitest';
import { toLine, verify } from '../../src/ledger/chain.ts';
import { isOfRun, type NewEntry, type NewRunEntry } from '../../src/runs/entry.ts';
import { describeEachPlace, failure } from '../helpers/ledger/places.ts';
import { asked, confirmed, denied, intent, outcome, refusal } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { chain } from '../helpers/record/entries.ts';

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
    const entries = chain(
      Array.from({ length: 2_500 }, (_, at) => (at % 2 === 0 ? intent(`h${at}.1`) : outcome(`h${at - 1}.1`))),
    );
    await write(entries.map(toLine));
    const ledger = await open();
    expect(ledger.head()).toEqual({ seq: 2_500, hash: entries.at(-1)?.hash });
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
    // Nor where it would have to begin a file.
    const empty = await place().open();
    await empty.close();
    expect(await failure(empty.append([outcome('a.1')]))).toBe('LedgerUnavailable');
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

describeEachPlace('What the rules refuse', (place) => {
  test('is not recorded, nor what came with it', async () => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append([outcome('a.1')]);
    expect(await refusal(ledger.append([asked('b.1'), outcome('a.1')]))).toEqual(['second', 1]);
    expect(await lines()).toHaveLength(1);
    expect(ledger.runs('b')).toEqual([]);
  });

  test('is the second of two that arrive together, of each kind', async () => {
    const { open, lines } = place();
    const ledger = await open();
    const { actor, place: at } = asked('a.1');
    const incident = { kind: 'incident', actor, place: at, incident: '1' } as const;
    await ledger.append([{ ...incident, step: 'opened', title: 'slow' }]);
    await ledger.append([{ kind: 'tampered', actor, finding: 'ahead', channel: '1', message: '2' }]);
    const frozen = { kind: 'frozen', actor, until: '2026-11-19T23:00:00.000Z', why: 'migration', place: at } as const;
    const acknowledged: NewEntry = { kind: 'acknowledged', actor, findings: [2], why: 'seen', place: at };
    const together: NewEntry[] = [
      ...[outcome('a.1'), outcome('a.1'), outcome('a.2')],
      ...[{ ...incident, step: 'ended' } as const, { ...incident, step: 'ended' } as const],
      ...[acknowledged, acknowledged, frozen, intent('c.1')],
    ];
    const answers = await Promise.all(together.map((each) => refusal(ledger.append([each]))));
    expect(answers).toMatchObject([
      ...[[{ seq: 3 }], ['second', 3], [{ seq: 4 }]],
      ...[[{ seq: 5 }], ['second', 5]],
      ...[[{ seq: 6 }], ['second', 6], [{ seq: 7 }], ['stopped', 7]],
    ]);
    expect(await lines()).toHaveLength(7);
  });
});
