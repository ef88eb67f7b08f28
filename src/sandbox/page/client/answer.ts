import type { Behind } from '../protocol.ts';

/** The panel's answer in a word, and its class; only a request that is over can have none. */
export function answerOf({ status, ms }: Pick<Behind['requests'][number], 'status' | 'ms'>): {
  words: string;
  look: string;
} {
  if (status !== undefined) return { words: String(status), look: `s${Math.floor(status / 100)}` };
  return ms === undefined ? { words: 'under way', look: 'waits' } : { words: 'no answer', look: 's0' };
}
