import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration } from '../../src/follow-ups/cards.ts';
import { followUpOf, idOf } from '../../src/follow-ups/follow-up.ts';
import { groupCard } from '../../src/follow-ups/group.ts';
import { nothingSeen, pause, after as seenAfter } from '../../src/follow-ups/seen.ts';
import type { RunState } from '../../src/ledger/ledger.ts';
import type { RunEntry } from '../../src/runs/entry.ts';

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
    expect(seenAfter(same, { kind: 'seen', state: 'running', word: 'running' }, 3_000)).not.toHaveProperty('progress');
  });

  it('is kept when a look fails, which is counted, and the turn is used up', () => {
    const known = { ...seenAfter(nothingSeen, running, 1_000), turn: 1_900, cut: 3 };
    const once = seenAfter(known, { kind: 'failed' }, 2_000);
    expect(once).toEqual({ word: 'running', progress: 40, newsAt: 1_000, at: 1_000, looks: 2, failures: 1 });
    expect(seenAfter(once, { kind: 'failed' }, 3_000).failures).toBe(2);
    expect(seenAfter(once, running, 4_000)).toMatchObject({ failures: 0, at: 4_000, newsAt: 1_000 });
  });
});

it.each([
  [-5, '0 s'],
  [499, '0 s'],
  [59_600, '1 min'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [3_605_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000, '1 d'],
  [97_200_000, '1 d 3 h'],
])('%i ms are said as "%s"', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

it('ids tell restores of one job number on two servers apart, and have no colon', () => {
  expect([idOf('restore', 101, 9001), idOf('restore', 111, 9001), idOf('power', 101, 77)]).toEqual([
    'restore-101-9001',
    'restore-111-9001',
    'queue-77',
  ]);
});

describe('the card of several servers', () => {
  const entry = (n: number, more: Partial<RunEntry>): RunEntry => ({
    ...{ run: `abc.${n}`, kind: 'follow-up', command: 'power.restart', options: { server: '101,102,103' } },
    ...{ actor: { id: '7', name: 'alice', roles: [] }, place: { guild: '1', channel: '2', message: '3' } },
    ...{ server: { id: 100 + n, name: `web-${n}` }, seq: n, time: '2026-11-19T22:00:00.000Z', prev: '', hash: '' },
    ...more,
  });
  const state = (n: number, ended?: Partial<RunEntry>): RunState => ({
    run: `abc.${n}`,
    outcome: entry(n, { kind: 'outcome', outcome: 'accepted' }),
    followUp: {
      started: entry(n, { step: 'started', follow: 'power', job: 5_000 + n }),
      ...{ card: '3', notify: { id: n === 2 ? '8' : '7', name: '', roles: [] }, reminded: 0 },
      ...(ended === undefined ? {} : { ended: entry(n, { time: '2026-11-19T22:01:05.000Z', ...ended }) }),
    },
  });
  const text = (states: RunState[]) => {
    const { state: word, body } = groupCard(states);
    return [word, ...body.map(({ markup }) => markup)].join('\n');
  };

  it('has what is worst in its headline', () => {
    const words = [{ end: 'finished' }, { end: 'unknown', detail: 'It was never seen.' }, { end: 'failed' }] as const;
    const headlines = [1, 2, 3].map((most) => groupCard(words.slice(0, most).map((end, i) => state(i + 1, end))).state);
    expect(headlines).toEqual(['finished', 'unknown', 'unknown']);
    expect(groupCard([state(1, { end: 'finished' }), state(2)]).state).toBe('accepted');
  });

  it('claims no end of what nobody follows, and names to whom it was handed over', () => {
    expect(text([state(1, { end: 'finished' }), state(2, { end: 'stopped' })])).toBe(`accepted
None of them is followed any more. Look in the panel for those that are only accepted.
**FINISHED** web-1 (101) after 1 min 5 s.
**ACCEPTED** web-2 (102): not followed any more.
By <@7>, handed over to <@8>.`);
  });

  it('quotes what the panel says, and says what to do', () => {
    const states = [state(1, { end: 'failed', said: '@everyone `x`' }), state(2, { end: 'unknown', detail: 'Last.' })];
    expect(text(states)).toBe(`unknown
None of them is under way any more.
**FAILED** web-1 (101) after 1 min 5 s. The panel says: \`@everyone ˋxˋ\`
**UNKNOWN** web-2 (102): not seen to finish within 1 min 5 s. Last.
What was not seen to finish may still run: look in the panel.
By <@7>, handed over to <@8>.`);
  });

  it('and a follow-up knows how many it shares its card with', () => {
    expect(followUpOf(state(1))).toMatchObject({
      id: 'queue-5001',
      stem: 'abc',
      width: 3,
      card: '3',
      announced: false,
    });
    expect(followUpOf({ run: 'abc.1' })).toBeUndefined();
  });
});
