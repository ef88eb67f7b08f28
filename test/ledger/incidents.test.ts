import { expect, test } from 'vitest';
import { seal, toLine, verify } from '../../src/ledger/chain.ts';
import type { NewEntry, Note } from '../../src/runs/entry.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { outcome, refusal } from '../helpers/ledger/samples.ts';

type Step = Extract<NewEntry, { kind: 'incident' }>;

const base = {
  kind: 'incident',
  actor: { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  place: { guild: '1000000000000000001', channel: '1300000000000000001' },
} as const;
const opened = (incident: string): Step => ({ ...base, incident, step: 'opened', title: 'disks are slow' });
const ended = (incident: string): Step => ({ ...base, incident, step: 'ended' });
const note = (message: string): Note => ({
  message,
  channel: '1300000000000000001',
  author: { id: '1100000000000000003', name: 'carol' },
  time: '2026-11-19T21:50:00.000Z',
  text: `text of ${message}`,
});
const noted = (incident: string, message: string): Step => ({ ...base, incident, step: 'noted', note: note(message) });

const looked = (incident: string): Step => ({
  ...{ ...base, incident, step: 'looked' },
  look: { command: 'firewall.show', options: { server: '101' } },
});

describeEachPlace('An incident', (place) => {
  test.each([
    ['a second start', [opened('1')], opened('1'), 'second', 1],
    ['a second end', [opened('1'), ended('1')], ended('1'), 'second', 2],
    ['an end before its start', [opened('2')], ended('1'), 'out-of-order', undefined],
    ['a message before its start', [opened('2')], noted('1', '5'), 'out-of-order', undefined],
    ['a message after its end', [opened('1'), ended('1')], noted('1', '5'), 'second', 2],
    ['the same message again', [opened('1'), noted('1', '5')], noted('1', '5'), 'second', 2],
    ['a read before its start', [opened('2')], looked('1'), 'out-of-order', undefined],
    ['a read after its end', [opened('1'), ended('1')], looked('1'), 'second', 2],
    ['it even after its end', [opened('1'), noted('1', '5'), ended('1')], noted('1', '5'), 'second', 2],
  ])('is refused %s', async (_what, before, entry, rule, by) => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append(before);
    // Nothing of what comes with it is recorded either.
    expect(await refusal(ledger.append([outcome('a.1'), entry]))).toEqual([rule, by]);
    expect(await lines()).toHaveLength(before.length);
    expect(ledger.runs('a')).toEqual([]);
  });

  test('takes one of two ends that arrive together', async () => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append([opened('1'), opened('2')]);
    const all = [ledger.append([ended('1')]), ledger.append([ended('1')]), ledger.append([ended('2')])];
    expect(await Promise.all(all.map(refusal))).toMatchObject([[{ seq: 3 }], ['second', 3], [{ seq: 4 }]]);
    expect(await lines()).toHaveLength(4);
  });

  test('is known after reopening, in the order of the starts, with its messages and reads', async () => {
    const { open, lines } = place();
    const before = await open();
    await before.append([opened('2'), opened('1'), noted('2', '5')]);
    await before.append([noted('1', '5'), noted('2', '6'), looked('1'), looked('1'), ended('2')]);
    await before.close();
    const incidents = (await open()).incidents();
    expect(incidents.map(({ id, title }) => [id, title])).toEqual([
      ['2', 'disks are slow'],
      ['1', 'disks are slow'],
    ]);
    expect(incidents.map(({ notes }) => notes.map((each) => each.note?.message))).toEqual([['5', '6'], ['5']]);
    expect(incidents.map(({ looks }) => looks.length)).toEqual([0, 2]);
    expect(incidents.map((each) => each.ended?.seq)).toEqual([8, undefined]);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 8 });
  });

  test('that ended twice in a ledger is opened all the same', async () => {
    const { open, lines, write } = place();
    const ledger = await open();
    const [first, second] = await ledger.append([opened('1'), ended('1')]);
    await ledger.close();
    expect(await lines()).toHaveLength(2);
    if (first === undefined || second === undefined) throw new Error('nothing was recorded');
    const third = seal(ended('1'), 3, '2026-11-19T22:00:00.000Z', second.hash);
    await write([toLine(first), toLine(second), toLine(third)]);
    expect((await open()).incidents().map((each) => each.ended?.seq)).toEqual([3]);
  });
});
