import type { Markup } from '../card.ts';

export type CheckState = 'ok' | 'warning' | 'wrong' | 'skipped';

/** What a check found. `mend`: what to do about it. */
export interface Found {
  state: CheckState;
  words: Markup;
  mend?: Markup;
}

export interface Line extends Found {
  /** The id of the check, and its title. */
  check: string;
  title: string;
}

export const ok = (words: Markup): Found => ({ state: 'ok', words });
export const warning = (words: Markup, mend: Markup): Found => ({ state: 'warning', words, mend });
export const wrong = (words: Markup, mend: Markup): Found => ({ state: 'wrong', words, mend });
export const skipped = (words: Markup): Found => ({ state: 'skipped', words });

/** Why something could not be looked at: a sentence of ours. */
export interface Left {
  left: string;
}
export type Looked<T> = T | Left;

export const isLeft = (looked: object): looked is Left => 'left' in looked;
