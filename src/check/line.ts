import type { Markup } from '../card.ts';

export type CheckState = 'ok' | 'warning' | 'wrong' | 'skipped';

/** What a check found. `remedy`: what to do about it. */
export interface Found {
  state: CheckState;
  words: Markup;
  remedy?: Markup;
}

export interface Line extends Found {
  check: string;
  title: string;
}

export const ok = (words: Markup): Found => ({ state: 'ok', words });
export const warning = (words: Markup, remedy: Markup): Found => ({ state: 'warning', words, remedy });
export const wrong = (words: Markup, remedy: Markup): Found => ({ state: 'wrong', words, remedy });
export const skipped = (words: Markup): Found => ({ state: 'skipped', words });

/** In one line, with what to do about it. */
export const textOf = ({ words, remedy }: Found): string =>
  remedy === undefined ? words.markup : `${words.markup} ${remedy.markup}`;

/** Why something could not be probed: one sentence for people. */
export interface Left {
  left: string;
}
export type Looked<T> = T | Left;

export const isLeft = (looked: object): looked is Left => 'left' in looked;
