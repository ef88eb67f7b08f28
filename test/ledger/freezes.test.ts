import { expect, test } from 'vitest';
import { seal } from '../../src/ledger/chain.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { openStops, stopOf } from '../../src/runs/freezes.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { intent, outcome, refusal } from '../helpers/ledger/samples.ts';

type Of<K extends NewEntry['kind']> = Extract<NewEntry, { kind: K }>;

const place = { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' };
const alice = { id: '1100000000000000001', name: 'alice', roles: ['1200000000000000003'] };
const bob = { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] };
const web1 = { id: 101, name: 'web-1', tier: 'production' };

/** The ledger's clock stands at 22:00. */
const at = (clock: string): string => `2026-11-19T${clock}:00.000Z`;

const frozen = (until = '23:00', tier?: string): Of<'frozen'> => ({
  ...{ kind: 'frozen', actor: alice, until: at(until), why: 'migration', place },
  tier,
});
const thawed = (ends: number, tier?: string): Of<'thawed'> => ({
  ...{ kind: 'thawed', actor: bob, ends, place },
  tier,
});
const held = (actor = bob, over?: number): Of<'held'> => ({
  ...{ kind: 'held', actor, server: web1, until: at('23:00'), why: 'leak', place },
  over,
});
const released = (ends: number): Of<'released'> => ({ kind: 'released', actor: alice, server: web1, ends, place });
/** Of bob, on web-1. */
const change = (run: string, own: Partial<Of<'intent'>> = {}): NewEntry => ({
  ...intent(run),
  ...{ kind: 'intent', server: web1, actor: bob },
  ...own,
});

describeEachPlace('A change', (places) => {
  test.each([
    ['a freeze of all servers', [frozen()], change('a.1'), 1],
    ['a freeze of its tier', [frozen('23:00', 'production')], change('a.1'), 1],
    ['a freeze of its tier in other letters', [frozen('23:00', 'Production')], change('a.1'), 1],
    [
      'a freeze that came after those it goes on in spite of',
      [frozen('23:00', 'production'), frozen()],
      change('a.1', { despite: [1] }),
      2,
    ],
    ['a hold of another person', [held(alice)], change('a.1'), 1],
    [
      'a hold, also of whoever may go on during a freeze',
      [frozen(), held(alice)],
      change('a.1', { despite: [1, 2] }),
      2,
    ],
    ['its hold that was taken over', [held(bob), held(alice, 1)], change('a.1'), 2],
  ])('is refused by %s', async (_what, before, entry, by) => {
    const ledger = await places().open();
    for (const each of before) await ledger.append([each]).catch(() => undefined);
    expect(await refusal(ledger.append([entry]))).toEqual(['stopped', by]);
    expect(ledger.runs('a')).toEqual([]);
  });

  test.each([
    ['a freeze of another tier', [frozen('23:00', 'staging')], change('a.1')],
    ['a freeze that its question named', [frozen()], change('a.1', { despite: [1] })],
    ['a freeze that was ended', [frozen(), thawed(1)], change('a.1')],
    ['its own hold', [held(bob)], change('a.1')],
    ['a hold of another server', [held(alice)], change('a.1', { server: { id: 102 } })],
    ['a hold that was released', [held(alice), released(1)], change('a.1')],
  ])('goes on in spite of %s', async (_what, before, entry) => {
    const ledger = await places().open();
    for (const each of before) await ledger.append([each]);
    expect(await refusal(ledger.append([entry]))).toMatchObject([{ kind: 'intent' }]);
  });

  test('that a freeze stopped before its request left has its own outcome, written by whoever recorded its intent alone', async () => {
    const ledger = await places().open();
    await ledger.append([change('a.1', { owner: 'p1' })]);
    await ledger.append([frozen()]);
    const stopped = {
      ...outcome('a.1'),
      kind: 'outcome' as const,
      outcome: 'not-sent' as const,
      reason: 'frozen' as const,
    };
    // Another part of the same process does not know that it had started, either.
    for (const owner of ['p1', 'p2'])
      expect(await refusal(ledger.append([{ ...stopped, owner }]))).toEqual(['second', 1]);
    expect(await refusal(ledger.append([{ ...stopped, owner: 'p1', ends: 2 }]))).toEqual(['second', 1]);
    expect(await refusal(ledger.append([{ ...stopped, owner: 'p1', ends: 1 }]))).toMatchObject([{ reason: 'frozen' }]);
  });

  test('and a freeze that arrive together: one order counts for both', async () => {
    const ledger = await places().open();
    const both = await Promise.all([ledger.append([frozen()]), ledger.append([change('a.1')])].map(refusal));
    expect(both).toMatchObject([[{ kind: 'frozen' }], ['stopped', 1]]);
  });
});

test('What has an end that nobody can read does not end by itself', () => {
  const stops = openStops();
  const entry = seal({ ...frozen(), until: 'soon' }, 1, at('22:00'), '');
  if (entry.kind === 'frozen') stops.take(entry);
  expect(stopOf(stops, { server: web1, actor: bob }, Date.parse('2036-01-01T00:00Z'))?.seq).toBe(1);
});

describeEachPlace('A freeze', (places) => {
  test.each([
    ['that has passed', [], frozen('22:00'), 'expired', undefined],
    ['with an end that nobody can read', [], { ...frozen(), until: 'soon' }, 'expired', undefined],
    ['that would shorten the one in force', [frozen('23:30')], frozen('23:00'), 'second', 1],
    ['that ends what is not there', [frozen('23:00', 'production')], thawed(1), 'out-of-order', undefined],
    ['that ends another than the one in force', [frozen(), frozen('23:30')], thawed(1), 'out-of-order', 2],
    ['that is ended a second time', [frozen(), thawed(1)], thawed(1), 'out-of-order', undefined],
    ['a second holder who does not know of the first', [held(alice)], held(bob), 'second', 1],
    ['a holder who knows of another than the last', [held(bob), held(alice, 1)], held(bob, 1), 'second', 2],
    ['a release of what nobody holds', [], released(1), 'out-of-order', undefined],
    ['a release of a hold that was taken over', [held(bob), held(alice, 1)], released(1), 'out-of-order', 2],
  ] as const)('is refused %s', async (_what, before, entry, rule, by) => {
    const ledger = await places().open();
    for (const each of before) await ledger.append([each]);
    expect(await refusal(ledger.append([entry]))).toEqual([rule, by]);
  });

  test('and a hold are known after reopening, until they run out', async () => {
    const { open } = places();
    const before = await open();
    await before.append([
      frozen('23:00'),
      frozen('22:30', 'staging'),
      frozen('23:00', 'lab'),
      thawed(3, 'lab'),
      held(),
    ]);
    await before.close();
    const after = await open();
    const shown = (clock: string): unknown => [
      after.freezes(Date.parse(at(clock))).map(({ seq }) => seq),
      after.holds(Date.parse(at(clock))).map(({ seq }) => seq),
      after.hold(101, Date.parse(at(clock)))?.seq,
    ];
    expect(['22:00', '22:30', '23:00'].map(shown)).toEqual([
      [[1, 2], [5], 5],
      [[1], [5], 5],
      [[], [], undefined],
    ]);
  });
});
