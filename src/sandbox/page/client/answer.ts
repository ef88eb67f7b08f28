import type { Behind } from '../protocol.ts';

/** The panel's answer in a word, and its CSS class. Only a finished request can lack an answer. */
export function answerOf({ status, ms }: Pick<Behind['requests'][number], 'status' | 'ms'>): {
  words: string;
  look: string;
} {
  if (status !== undefined) return { words: String(status), look: `s${Math.floor(status / 100)}` };
  return ms === undefined ? { words: 'under way', look: 'waits' } : { words: 'no answer', look: 's0' };
}
