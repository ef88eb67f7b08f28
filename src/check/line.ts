import { type Markup, trusted } from '../card.ts';

/** What a check found. `remedy`: what to do about it. */
export interface Found {
  state: 'ok' | 'warning' | 'wrong' | 'skipped';
  words: Markup;
  remedy?: Markup;
}

export interface Line extends Found {
  check: string;
  title: string;
}

export const ok = (words: Markup): Found => ({ state: 'ok', words });
/** `remedy`: in our own words. */
export const warning = (words: Markup, remedy: string): Found => ({ state: 'warning', words, remedy: trusted(remedy) });
export const wrong = (words: Markup, remedy: string): Found => ({ state: 'wrong', words, remedy: trusted(remedy) });
export const skipped = (words: Markup): Found => ({ state: 'skipped', words });

export const isBad = ({ state }: Found): boolean => state === 'wrong' || state === 'warning';

/** In one line, with what to do about it. */
export const textOf = ({ words, remedy }: Found): string =>
  remedy === undefined ? words.markup : `${words.markup} ${remedy.markup}`;

/** Why something could not be probed: one sentence for people. */
export interface Left {
  left: string;
}
export type Looked<T> = T | Left;

export const isLeft = (looked: unknown): looked is Left =>
  typeof looked === 'object' && looked !== null && 'left' in looked;
