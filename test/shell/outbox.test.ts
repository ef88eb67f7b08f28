import { expect, it } from 'vitest';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { createOutbox } from '../../src/shell/outbox.ts';
import { accepted, intent, openLedger, outcome, started } from '../helpers/ledger/samples.ts';
import { quietLog } from '../helpers/messages.ts';

/** An outbox before a ledger that has room for so many appends, and what it reported. */
async function full(room: number) {
  const ledger = await openLedger();
  const place = { room };
  const append: typeof ledger.append = (entries) => {
    if (place.room === 0) return Promise.reject(new LedgerUnavailable(new Error('the disk is full')));
    place.room -= 1;
    return ledger.append(entries);
  };
  const told: string[] = [];
  const outbox = createOutbox({ append }, (id) => void told.push(id), quietLog);
  return { ledger, outbox, told, place };
}

const kinds = (entries: readonly { kind: string }[]): string[] => entries.map(({ kind }) => kind);

it('An outcome that waited is recorded together with what is followed from there on: nothing can come between', async () => {
  const { ledger, outbox, place } = await full(0);
  await ledger.append([intent('a.1')]);
  await outbox.record([accepted('a.1'), started('a.1')]);
  await outbox.record([outcome('b.1')]);
  place.room = 1;
  await outbox.flush();
  expect(ledger.following().map(({ run }) => run)).toEqual(['a.1']);
  expect([kinds(outbox.unrecorded('a')), kinds(outbox.unrecorded('b'))]).toEqual([[], ['outcome']]);
  place.room = 1;
  await outbox.flush();
  expect(outbox.unrecorded('b')).toEqual([]);
  expect(ledger.run('b.1')?.outcome?.outcome).toBe('rejected');
});

it('What waits is shown at once', async () => {
  const { outbox, told, place } = await full(0);
  await outbox.record([outcome('a.1')]);
  await outbox.record([outcome('b.1')]);
  expect([kinds(outbox.unrecorded('a')), kinds(outbox.unrecorded('b'))]).toEqual([['outcome'], ['outcome']]);
  expect(told).toEqual(['a', 'b']);
  place.room = 2;
  await outbox.flush();
  expect(told).toEqual(['a', 'b', 'a', 'b']);
});

it('What the ledger refuses, because it knows already how that ended, does not keep the rest waiting', async () => {
  const { ledger, outbox, place } = await full(0);
  await outbox.record([outcome('a.1')]);
  await outbox.record([outcome('b.1')]);
  await ledger.append([outcome('a.1')]);
  place.room = 9;
  await outbox.flush();
  expect(outbox.waiting()).toBe(0);
  expect(kinds(ledger.entries().slice())).toEqual(['outcome', 'outcome']);
});
