import { expect, test } from 'vitest';
import { verify } from '../../src/ledger/chain.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { accepted, intent, outcome, refusal, started, step } from '../helpers/ledger/samples.ts';

const carol = { id: '1100000000000000003', name: 'carol', roles: [] };
const begun = (run: string) => [intent(run), accepted(run), started(run)];
const elsewhere = { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000009' };

describeEachPlace('A follow-up', (place) => {
  test('starts with the outcome, and says where its card is, who is pinged, and how it goes on', async () => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append([intent('a.1')]);
    expect(ledger.following()).toEqual([]);
    await ledger.append([accepted('a.1'), started('a.1')]);
    expect(ledger.open()).toEqual([]);
    expect(ledger.following()).toMatchObject([
      {
        run: 'a.1',
        outcome: { outcome: 'accepted' },
        followUp: {
          started: { follow: 'restore', job: 91, deadline: '2026-11-20T22:00:00.000Z', seq: 3 },
          card: '1400000000000000001',
          notify: { name: 'bob' },
          reminded: 0,
        },
      },
    ]);
    await ledger.append([step('a.1', { step: 'moved' }, elsewhere)]);
    await ledger.append([step('a.1', { step: 'handed-over', to: carol })]);
    await ledger.append([step('a.1', { step: 'reminded', n: 2 })]);
    await ledger.close();

    const after = await open();
    expect(after.following()).toMatchObject([
      { run: 'a.1', followUp: { card: '1400000000000000009', notify: carol, reminded: 2 } },
    ]);
    expect(after.following()[0]?.followUp?.ended).toBeUndefined();
    expect(verify(await lines())).toMatchObject({ ok: true, count: 6 });
  });

  test('is listed, the oldest first, until its end is announced', async () => {
    const ledger = await place().open();
    for (const run of ['a.1', 'b.1', 'c.1']) await ledger.append(begun(run));
    await ledger.append([step('b.1', { step: 'reminded', n: 1 })]);
    await ledger.append([step('a.1', { step: 'ended', end: 'failed', said: 'disk full' })]);
    expect(ledger.following().map(({ run }) => run)).toEqual(['a.1', 'b.1', 'c.1']);
    expect(ledger.following()[0]?.followUp?.ended).toMatchObject({ end: 'failed', said: 'disk full' });
    await ledger.append([step('a.1', { step: 'announced' }, elsewhere)]);
    expect(ledger.following().map(({ run }) => run)).toEqual(['b.1', 'c.1']);
    expect(ledger.runs('a')[0]?.followUp?.announced?.place.message).toBe('1400000000000000009');
  });

  test('may have its card moved after its end, and after the announcement', async () => {
    const ledger = await place().open();
    await ledger.append([...begun('a.1'), step('a.1', { step: 'ended', end: 'stopped', by: carol })]);
    await ledger.append([step('a.1', { step: 'announced' }, elsewhere)]);
    await ledger.append([step('a.1', { step: 'moved' }, elsewhere)]);
    expect(ledger.runs('a')[0]?.followUp).toMatchObject({ card: '1400000000000000009', ended: { by: carol } });
    expect(ledger.following()).toEqual([]);
  });

  test.each([
    ['a second start', begun('a.1'), started('a.1'), 'second', 3],
    ['a start without an outcome', [intent('a.1')], started('a.1'), 'out-of-order', undefined],
    ['a start after a no', [outcome('a.1')], started('a.1'), 'out-of-order', 1],
    ['an end without a start', [accepted('a.1')], step('a.1', { step: 'ended', end: 'finished' }), 'out-of-order', 1],
    [
      'a second end',
      [...begun('a.1'), step('a.1', { step: 'ended', end: 'finished' })],
      step('a.1', { step: 'ended', end: 'failed' }),
      'second',
      4,
    ],
    ['an announcement before its end', begun('a.1'), step('a.1', { step: 'announced' }), 'out-of-order', 3],
    [
      'a second announcement',
      [...begun('a.1'), step('a.1', { step: 'ended', end: 'finished' }), step('a.1', { step: 'announced' })],
      step('a.1', { step: 'announced' }),
      'second',
      5,
    ],
    [
      'a reminder after its end',
      [...begun('a.1'), step('a.1', { step: 'ended', end: 'unknown' })],
      step('a.1', { step: 'reminded', n: 1 }),
      'out-of-order',
      4,
    ],
    [
      'the same reminder again',
      [...begun('a.1'), step('a.1', { step: 'reminded', n: 1 })],
      step('a.1', { step: 'reminded', n: 1 }),
      'second',
      3,
    ],
    ['a reminder before a start', [accepted('a.1')], step('a.1', { step: 'reminded', n: 1 }), 'out-of-order', 1],
    [
      'a hand-over after its end',
      [...begun('a.1'), step('a.1', { step: 'ended', end: 'unknown' })],
      step('a.1', { step: 'handed-over', to: carol }),
      'out-of-order',
      4,
    ],
  ])('is refused %s', async (_what, before, entry, rule, by) => {
    const { open, lines } = place();
    const ledger = await open();
    await ledger.append(before);
    expect(await refusal(ledger.append([entry]))).toEqual([rule, by]);
    expect(await lines()).toHaveLength(before.length);
  });
});
