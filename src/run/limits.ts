import type { Rate } from './buckets.ts';
import type { DenialLimits } from './denials.ts';

/** How much one person may ask of the bot. */
export interface Limits {
  /** Commands, clicks and forms: of those who do ten things a minute and of those who paste a page of commands, none is refused. */
  acting: Rate;
  /** Suggestions, which come with each key: who types does not use up their clicks. */
  typing: Rate;
  /** Of so many people, and at most twice as many, is remembered what they did. */
  people: number;
  denials: DenialLimits;
  /** Questions that wait for somebody's Confirm. */
  questions: number;
}

export const usualLimits: Limits = {
  acting: { atOnce: 40, perSecond: 2 },
  typing: { atOnce: 60, perSecond: 10 },
  people: 10_000,
  denials: { window: 10 * 60_000, alone: 5, people: 100 },
  questions: 10,
};
