import { expect, test } from 'vitest';
import type { NewEntry } from '../../src/runs/entry.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { refusal } from '../helpers/ledger/samples.ts';

const actor = { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] };
const place = { guild: '1000000000000000001', channel: '1300000000000000001' };
const found = (message: string): NewEntry => ({
  ...{ kind: 'tampered', actor, finding: 'ahead', channel: '1300000000000000002', message },
});
const acknowledged = (...findings: number[]): NewEntry => ({
  ...{ kind: 'acknowledged', actor, findings, why: 'looked into', place },
});
const alerted = (upTo: number): NewEntry => ({ kind: 'alerted', actor, upTo, place });

describeEachPlace('A finding', (given) => {
  test.each([
    ['acknowledged twice', [found('1'), acknowledged(1)], acknowledged(1), 'second', 2],
    [
      'acknowledged with one that is already',
      [found('1'), found('2'), acknowledged(1)],
      acknowledged(2, 1),
      'second',
      3,
    ],
    ['acknowledged before it was found', [found('1')], acknowledged(7), 'out-of-order', undefined],
    [
      'acknowledged where the entry is no finding',
      [found('1'), alerted(1)],
      acknowledged(2),
      'out-of-order',
      undefined,
    ],
    ['announced twice', [found('1'), alerted(1)], alerted(1), 'second', 2],
  ])('cannot be %s', async (_what, before, entry, rule, by) => {
    const { open, lines } = given();
    const ledger = await open();
    await ledger.append(before);
    expect(await refusal(ledger.append([found('9'), entry]))).toEqual([rule, by]);
    expect(await lines()).toHaveLength(before.length);
  });

  test('is acknowledged by one of two who do it at once, and stays so', async () => {
    const { open } = given();
    const ledger = await open();
    await ledger.append([found('1'), found('2')]);
    const both = [ledger.append([acknowledged(1, 2)]), ledger.append([acknowledged(2)])];
    expect(await Promise.all(both.map(refusal))).toMatchObject([[{ seq: 3 }], ['second', 3]]);
    await ledger.close();
    const again = await open();
    expect(again.findings().map(({ found: { seq }, acknowledged: by }) => [seq, by?.seq])).toEqual([
      [1, 3],
      [2, 3],
    ]);
  });
});
