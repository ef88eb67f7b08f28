import { z } from 'zod';
import { defined } from '../defined.ts';
import type { Reason } from '../reasons.ts';

/** What was last seen of a job: kept with the BullMQ job, and may be lost. Times in ms. */
export const seen = z.object({
  /** The panel's word for its state, as it came. */
  word: z.string().exactOptional(),
  progress: z.number().exactOptional(),
  message: z.string().exactOptional(),
  /** When a look last brought news, and when one last worked. */
  newsAt: z.number().exactOptional(),
  at: z.number().exactOptional(),
  /** Since when it is watched, where it may have been before, of which nothing is kept; until it is seen. */
  since: z.number().exactOptional(),
  /** The turn that it was given for its next look. */
  turn: z.number().exactOptional(),
  looks: z.number(),
  /** Looks in a row that failed. */
  failures: z.number(),
  /** Turns in a row that Discord, the ledger or Redis cut short. */
  cut: z.number().exactOptional(),
});
export type Seen = z.infer<typeof seen>;

export const nothingSeen: Seen = { looks: 0, failures: 0 };

/** What one look came to. `at`: when it may be tried again, in ms. */
export type Look =
  | { kind: 'seen'; state: 'running' | 'succeeded' | 'failed'; word: string; progress?: number; message?: string }
  | { kind: 'failed'; why: Reason }
  | { kind: 'later'; at: number }
  /** The panel has no such read at all. */
  | { kind: 'no-read' };

/** What is known after a look. */
export function after(before: Seen, look: Extract<Look, { kind: 'seen' | 'failed' }>, now: number): Seen {
  const looks = before.looks + 1;
  if (look.kind === 'failed') {
    const { turn, cut, ...known } = before;
    return { ...known, looks, failures: before.failures + 1 };
  }
  const { word, progress, message } = look;
  const news = word !== before.word || progress !== before.progress || message !== before.message;
  return {
    word,
    ...defined({ progress, message }),
    ...(news || before.newsAt === undefined ? { newsAt: now } : { newsAt: before.newsAt }),
    at: now,
    looks,
    failures: 0,
  };
}

/** So many failed looks in a row, and the card says that it cannot be seen. */
export const blindAfter = 5;

/** How long until the next look: from `first` growing to `most`, in ms, with a quarter of jitter. `random` from 0 to 1. */
export function pause(
  { looks }: Pick<Seen, 'looks'>,
  { first, most }: { first: number; most: number },
  random: number,
): number {
  const grown = Math.min(most, first * 1.3 ** Math.min(looks, 30));
  return grown * (0.875 + random / 4);
}
