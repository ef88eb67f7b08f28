import type { JobLook, JobSeen } from '../cards/render/parts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Reason } from '../reasons.ts';
import { type FollowUp, followUpOf, type Started, startedAt } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';

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

interface LookParts {
  ledger: Pick<Ledger, 'run'>;
  readable(): boolean;
  /** The longest usual duration of a job of this command, in ms. */
  stuckAfter(command: string): number | undefined;
  /** A look found news. */
  changed(invocationId: string): void;
  now(): number;
}

export type Looks = ReturnType<typeof createLooks>;

/** What was last seen of jobs. It is lost with the process, and known again after the first look. */
export function createLooks({ ledger, readable, stuckAfter, changed, now }: LookParts) {
  const taken = new Map<string, { seen: Seen; shown: string }>();

  function lookOf(started: Started, { looks, failures, turn, cut, ...known }: Seen) {
    const isLate = now() >= startedAt(started) + (stuckAfter(started.command) ?? Number.POSITIVE_INFINITY);
    return {
      ...known,
      ...(failures >= blindAfter ? { blind: true as const } : {}),
      ...(isLate ? { late: true as const } : {}),
    };
  }

  return {
    take({ run, followUp: { started } }: FollowUp, seen: Seen): void {
      const look = lookOf(started, seen);
      // A card shows the time of the last look only if looks now fail.
      const { at, ...lasting } = look;
      const shown = JSON.stringify(look.blind ? look : lasting);
      const before = taken.get(run)?.shown ?? '{}';
      taken.set(run, { seen, shown });
      if (shown !== before) changed(invocationOf(run));
    },
    /** For a run; undefined if nothing is known. */
    of(run: string): JobLook | undefined {
      const { followUp } = followUpOf(ledger.run(run)) ?? {};
      if (followUp === undefined || followUp.ended !== undefined) return undefined;
      const { started } = followUp;
      if (started.job === undefined || (started.follow === 'restore' && !readable())) return 'no-read';
      const mine = taken.get(run);
      return mine && lookOf(started, mine.seen);
    },
    forget: (run: string): void => void taken.delete(run),
  };
}
