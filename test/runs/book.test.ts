import { expect, it } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import type { NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { changedBy } from '../../src/runs/history.ts';
import { gatherOnServer } from '../../src/view/handover.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { chain } from '../helpers/record/entries.ts';
import { ledgerOf } from '../helpers/stand-ins.ts';

/** A book, and what puts a change into it that throttles a server. */
function opened() {
  const { add, records } = openBook();
  const put = (entry: NewRunEntry): void =>
    void add(seal(entry, records.entries().length + 1, '2026-11-19T22:00:00.000Z', ''));
  const throttles = (run: string, id: number, percent: number): void => {
    const of = {
      ...{ run, actor: { id: '1', name: 'alice', roles: [] }, command: 'cpu.throttle' },
      ...{ options: { server: `${id}`, percent }, server: { id, name: `web-${id}` } },
      place: { guild: '1', channel: '2', message: '3' },
    };
    put({ ...of, kind: 'intent', opens: ['throttle'], closes: ['unapplied throttle'] });
    const undo = { command: 'cpu.throttle', options: { server: `${id}`, percent: percent - 1 } };
    put({ ...of, kind: 'outcome', outcome: 'succeeded', undo });
  };
  return { records, throttles };
}

it('A change draws the card that it replaced again, and none of the others on the server', () => {
  const { records, throttles } = opened();
  for (let i = 0; i < 200; i += 1) throttles(`r${i}.1`, 101, i + 1);
  const last = records.run('r199.1')?.outcome;
  expect(last && changedBy(records, last)).toEqual(['r199', 'r198']);
});

it('What is open on one server is found without a look at those of others', () => {
  const { records, throttles } = opened();
  for (let id = 101; id <= 110; id += 1) throttles(`r${id}.1`, id, 20);
  const looked: (number | undefined)[] = [];
  const effects = (id?: number) => {
    looked.push(id);
    return records.effects(id);
  };
  const found = gatherOnServer({ ...records, effects }, { id: 105 }, Date.parse('2026-11-19T22:00:00.000Z'));
  expect(found.map(({ servers }) => servers.map(({ id }) => id))).toEqual([[105]]);
  expect(looked).toEqual([105]);
});

const boots = {
  command: 'power.boot',
  options: { server: '101,102,103' },
  actor: { id: '1', name: 'alice', roles: [] },
  place: { guild: '1', channel: '2', message: '3' },
};
const run = (n: number) => ({ ...boots, run: `a.${n}`, server: { id: 100 + n } });

const bookOf = (entries: readonly NewEntry[]) => ledgerOf(chain(entries));

const first: NewRunEntry[] = [
  { ...run(1), kind: 'intent', owner: 'p' },
  { ...run(1), kind: 'outcome', outcome: 'accepted', owner: 'p' },
];

it('a command for three servers has not ended when one has', () => {
  expect(bookOf(first).unfinished()).toEqual(['a']);
});

it('nor when the job of that one is followed to its end, which says nothing of the others', () => {
  const followed = { ...run(1), options: {}, kind: 'follow-up', follow: 'power', job: 7 } as const;
  const records = bookOf([
    ...first,
    { ...followed, step: 'started', deadline: '2026-11-20T22:00:00.000Z' },
    { ...followed, step: 'ended', end: 'finished' },
  ]);
  expect(records.unfinished()).toEqual(['a']);
});

it('it has when all three have, and a denial leaves nothing to end', () => {
  const rest = [2, 3].map((n): NewRunEntry => ({ ...run(n), kind: 'outcome', outcome: 'not-sent' }));
  const denied: NewRunEntry = { ...run(1), run: 'b.1', kind: 'denied', outcome: 'denied', reason: 'denied' };
  expect(bookOf([...first, ...rest, denied]).unfinished()).toEqual([]);
});
