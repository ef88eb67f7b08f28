import type { RawOptions } from '../outcome.ts';

/** Another command with its options, for a button that runs it like a typed command. */
export interface Step {
  command: string;
  options: RawOptions;
}

/** A button: it undoes or applies what one run did, closes a review, cancels a terminal's question, shows what a read shows, or what a change would send. */
export type ViewOffer = { label: string } & (
  | { does: 'undo' | 'apply' | 'review' | 'cancel'; run: string }
  | { does: 'show' | 'trial'; step: Step }
);
