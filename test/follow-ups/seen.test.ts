import { describe, expect, it } from 'vitest';
import { nothingSeen, pause, after as seenAfter } from '../../src/follow-ups/seen.ts';

describe('the pause between looks', () => {
  const usual = { first: 5_000, most: 60_000 };

  it('grows from 5 seconds to a minute', () => {
    const pauses = [0, 1, 2, 5, 9, 10, 100, 1e9].map((looks) => Math.round(pause({ looks }, usual, 0.5)));
    expect(pauses).toEqual([5_000, 6_500, 8_450, 18_565, 53_022, 60_000, 60_000, 60_000]);
  });

  it('is spread by an eighth to both sides', () => {
    expect([0, 1].map((random) => pause({ looks: 0 }, usual, random))).toEqual([4_375, 5_625]);
    expect([0, 1].map((random) => pause({ looks: 99 }, usual, random))).toEqual([52_500, 67_500]);
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
