import { expect, it } from 'vitest';
import type { Entry, Kind, NewEntry } from '../../src/runs/entry.ts';
import { unvouchedEntries } from '../../src/trail/reported.ts';
import { createSeals, sealKeyOf } from '../../src/trail/seals.ts';
import { chain } from '../helpers/record/entries.ts';
import { audit, begun, several } from '../helpers/trail/process.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const place = { guild: '1000000000000000001', channel: '1300000000000000001' };
const found: NewEntry = { kind: 'tampered', actor: alice, finding: 'ahead', channel: audit, message: '7' };
type Own<K extends Entry['kind']> = Omit<Kind<K>, 'seq' | 'time' | 'prev' | 'hash'>;
const settled: Own<'acknowledged'> = { kind: 'acknowledged', actor: alice, findings: [2], why: 'looked into', place };
const told: Own<'alerted'> = { kind: 'alerted', actor: alice, upTo: 2 };

const seals = createSeals(sealKeyOf('a-token'));
const before = chain([begun, found]);
const seal = seals.of(settled, before);

/** Which entries of a ledger nobody vouches for, where the channel has it up to that one. */
const of = (ledger: readonly Entry[], upTo: number): (number | undefined)[] => {
  const head = ledger[upTo - 1]?.hash.slice(0, 32) ?? '';
  return unvouchedEntries(ledger, audit, [{ message: '7', from: 1, to: upTo, head }], seals).map(({ from }) => from);
};

it('What the bot sealed counts before it is posted: it may have been killed in between', () => {
  const sealed = [
    { ...settled, seal },
    { ...told, seal: seals.of(told, before) },
  ];
  expect(of(chain([begun, found, ...sealed]), 2)).toEqual([]);
});

it('What has no seal, as in earlier versions, counts where the channel has it, and only there', () => {
  const ledger = chain([begun, found, settled, told, ...several(1)]);
  expect(of(ledger, 5)).toEqual([]);
  expect(of(ledger, 3)).toEqual([4]);
  expect(of(ledger, 2)).toEqual([3, 4]);
});

it('A seal is void for another person, other words, another token, or another ledger', () => {
  const others: NewEntry[] = [
    { ...settled, seal, actor: { ...alice, id: '1400000000000000002' } },
    { ...settled, seal, why: 'all is well' },
    { ...settled, seal: createSeals(sealKeyOf('another-token')).of(settled, before) },
  ];
  for (const other of others) expect(of(chain([begun, found, other]), 2)).toEqual([3]);
  expect(of(chain([begun, { ...found, message: '8' }, { ...settled, seal }]), 2)).toEqual([3]);
});

it('It is reported once', () => {
  const report: NewEntry = { ...found, finding: 'unvouched', from: 3, to: 3 };
  expect(of(chain([begun, found, settled, report]), 2)).toEqual([]);
});
