import type { JobSeen } from '../cards/render/known.ts';
import type { Reason } from '../reasons.ts';

/** What was seen of a job, and how its looks went. */
export interface Seen extends JobSeen {
  /** The slot reserved for the next look. */
  turn?: number;
  looks: number;
  /** Consecutive failed looks. */
  failures: number;
  /** Consecutive turns that an error of Discord or the ledger interrupted. */
  cut?: number;
}

export const nothingSeen: Seen = { looks: 0, failures: 0 };

/** The result of one look. `at`: when to try again, in ms. */
export type JobStatus =
  | { kind: 'seen'; state: 'running' | 'succeeded' | 'failed'; word: string; progress?: number; message?: string }
  | { kind: 'failed'; why: Reason }
  | { kind: 'later'; at: number }
  /** The panel cannot read such jobs. */
  | { kind: 'no-read' };

/** The state after a look. */
export function after(before: Seen, look: Extract<JobStatus, { kind: 'seen' | 'failed' }>, now: number): Seen {
  const looks = before.looks + 1;
  if (look.kind === 'failed') {
    const { turn, cut, ...known } = before;
    return { ...known, looks, failures: before.failures + 1 };
  }
  const { word, progress, message } = look;
  const news = word !== before.word || progress !== before.progress || message !== before.message;
  return {
    word,
    progress,
    message,
    ...(news || before.newsAt === undefined ? { newsAt: now } : { newsAt: before.newsAt }),
    at: now,
    looks,
    failures: 0,
  };
}

/** After this many consecutive failed looks, the card says that the bot cannot see the job. */
export const blindAfter = 5;

/** The delay until the next look, in ms: grows from `first` to `most`, with a quarter of jitter. */
export function pause(
  { looks }: Pick<Seen, 'looks'>,
  { first, most }: { first: number; most: number },
  random: number,
): number {
  const grown = Math.min(most, first * 1.3 ** Math.min(looks, 30));
  return grown * (0.875 + random / 4);
}
