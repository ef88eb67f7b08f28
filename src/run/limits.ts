import type { DenialLimits } from './denials.ts';

/** How much one person may ask of the bot. */
export interface Limits {
  denials: DenialLimits;
}

export const usualLimits: Limits = {
  denials: { window: 10 * 60_000, alone: 5, people: 100 },
};
