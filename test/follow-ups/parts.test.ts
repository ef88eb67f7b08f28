import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nothingSeen, pause, after as seenAfter } from '../../src/follow-ups/seen.ts';
import { followUpOf, jobOf } from '../../src/runs/follow-up.ts';
import { jobIdOf } from '../../src/runs/ids.ts';
import { alice, bob, card, ended, follow, handedOver, moved, ownLedger } from '../helpers/follow-ups/bench.ts';

const usual = { first: 5_000, most: 60_000 };

describe('the pause between looks', () => {
  it('grows from 5 seconds to a minute', () => {
    const pauses = [0, 1, 2, 5, 9, 10, 100, 1e9].map((looks) => Math.round(pause({ looks }, usual, 0.5)));
    expect(pauses).toEqual([5_000, 6_500, 8_450, 18_565, 53_022, 60_000, 60_000, 60_000]);
  });

  it('is spread by an eighth to both sides', () => {
    expect([0, 1].map((random) => pause({ looks: 0 }, usual, random))).toEqual([4_375, 5_625]);
    expect([0, 1].map((random) => pause({ looks: 99 }, usual, random))).toEqual([52_500, 67_500]);
  });

  it('is never shorter after more looks', () => {
    const looks = fc.nat({ max: 1_000 });
    fc.assert(
      fc.property(looks, looks, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, random) => {
        const [less = 0, more = 0] = [a, b].toSorted((x, y) => x - y);
        expect(pause({ looks: more }, usual, random)).toBeGreaterThanOrEqual(pause({ looks: less }, usual, random));
      }),
    );
  });
});

describe('what is known after a look', () => {
  const running = { kind: 'seen', state: 'running', word: 'running', progress: 40 } as const;

  it('is what was seen, and since when it is so', () => {
    const first = seenAfter(nothingSeen, running, 1_000);
    expect(first).toEqual({ word: 'running', progress: 40, newsAt: 1_000, at: 1_000, looks: 1, failures: 0 });
    const same = seenAfter(first, running, 2_000);
    expect(same).toEqual({ word: 'running', progress: 40, newsAt: 1_000, at: 2_000, looks: 2, failures: 0 });
    expect(seenAfter(same, { ...running, progress: 41 }, 3_000)).toMatchObject({ progress: 41, newsAt: 3_000 });
    expect(seenAfter(same, { kind: 'seen', state: 'running', word: 'running' }, 3_000).progress).toBeUndefined();
  });

  it('is kept when a look fails, which is counted, and the turn is used up', () => {
    const known = { ...seenAfter(nothingSeen, running, 1_000), turn: 1_900, cut: 3 };
    const once = seenAfter(known, { kind: 'failed', why: 'timeout' }, 2_000);
    expect(once).toEqual({ word: 'running', progress: 40, newsAt: 1_000, at: 1_000, looks: 2, failures: 1 });
    expect(seenAfter(once, { kind: 'failed', why: 'timeout' }, 3_000).failures).toBe(2);
    expect(seenAfter(once, running, 4_000)).toMatchObject({ failures: 0, at: 4_000, newsAt: 1_000 });
  });
});

it('ids tell restores of one job number on two servers apart, and have no colon', () => {
  expect([jobIdOf('restore', 101, 9001), jobIdOf('restore', 111, 9001), jobIdOf('power', 101, 77)]).toEqual([
    'restore-101-9001',
    'restore-111-9001',
    'queue-77',
  ]);
});

it('a follow-up knows its job, its card now, and whom it pings', async () => {
  const ledger = await ownLedger();
  const known = () => followUpOf(ledger.run('abc.2'));
  await follow(ledger, 'abc.2', { follow: 'power', width: 3, command: 'power.restart' });
  const state = known();
  if (state === undefined) throw new Error('it is followed');
  expect(jobOf(state.followUp.started)).toBe('queue-9002');
  expect(state.followUp).toMatchObject({ card, notify: alice, started: { actor: alice, server: { id: 102 } } });
  await ledger.append([handedOver('abc.2', bob), moved('abc.2', '1500000000000000009')]);
  expect(known()?.followUp).toMatchObject({ card: '1500000000000000009', notify: bob, started: { actor: alice } });
  await ledger.append([ended('abc.2', 'failed', { width: 3 })]);
  expect(known()?.followUp).toMatchObject({ ended: { end: 'failed' } });
  expect([followUpOf({ run: 'abc.1' }), followUpOf(ledger.run('abc.1'))]).toEqual([undefined, undefined]);
});
