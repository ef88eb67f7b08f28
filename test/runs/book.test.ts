import { expect, it } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { changedBy } from '../../src/runs/history.ts';
import { gatherOnServer } from '../../src/view/handover.ts';
import { seal } from '../helpers/ledger/seal.ts';

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
