import type { RawOptions } from '../outcome.ts';

/** Another command with its options, for a button that runs it like a typed command. */
export interface Step {
  command: string;
  options: RawOptions;
}

/** A button: it undoes or applies what one run did, closes a review, or shows what a read shows. */
export type ViewOffer = { label: string } & (
  | { does: 'undo' | 'apply' | 'review'; run: string }
  | { does: 'show'; step: Step }
);
