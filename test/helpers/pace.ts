import { defaultLimits, type Limits } from '../../src/shell/limits.ts';

/** A Discord that makes nobody wait: its pace is a matter of the tests that hold it. */
export const unmetered = { posts: false, global: false } as const;

/** The waits between looks, and between posts of the trail. */
export const hurried = {
  recover: 50,
  duties: { pins: 50, news: 50 },
  announcer: { every: 50 },
  trail: { between: 20, look: 50 },
};

/** In most tests people do more in a second than people do in a minute, and denials are entries like others. */
export const unlimited: Limits = {
  acting: { atOnce: 10_000, perSecond: 1_000 },
  typing: { atOnce: 10_000, perSecond: 1_000 },
  people: 100,
  denials: { window: 600_000, alone: 10_000, people: 100 },
  questions: 1_000,
  open: defaultLimits.open,
};

/** Dozens at once: a machine that has no time for the bot must not turn them into late answers. Usually it has three seconds. */
export const unhurried = { answerMs: 20_000 };
