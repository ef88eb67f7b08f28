import type { Rate } from './buckets.ts';
import type { DenialLimits } from './denials.ts';

/** Limits for one person. */
export interface Limits {
  /** Commands, clicks and modals. Neither ten actions a minute nor a pasted page of commands reaches the limit. */
  acting: Rate;
  /** Autocomplete requests, one per key press. Separate, because typing must not use up clicks. */
  typing: Rate;
  /** How many people to track. */
  people: number;
  denials: DenialLimits;
  /** Open questions. */
  questions: number;
  /** How long a question stays open, in ms: plain, when it requires typing, and for an approval after Confirm. */
  open: { plain: number; typed: number; approval?: number };
}

export const defaultLimits: Limits = {
  acting: { atOnce: 40, perSecond: 2 },
  typing: { atOnce: 60, perSecond: 10 },
  people: 10_000,
  denials: { window: 10 * 60_000, alone: 5, people: 100 },
  questions: 10,
  open: { plain: 120_000, typed: 300_000, approval: 900_000 },
};
