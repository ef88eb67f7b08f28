import type { JobLook } from '../cards/render/known.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FollowUp, find } from './follow-up.ts';
import { blindAfter, type Seen } from './seen.ts';

export interface LookParts {
  ledger: Pick<Ledger, 'run'>;
  /** What the job in the queue holds; rejects when the queue is away. */
  stored(id: string): Promise<Seen | undefined>;
  /** Whether the panel offers a read of restores at all. */
  readable: boolean;
  /** How long a job of this command usually takes at most, in ms. */
  stuckAfter(command: string): number | undefined;
  /** A look brought news. */
  changed(invocationId: string): void;
  /** For how long what this process saw is taken for the newest, in ms: others may be looking. */
  fresh: number;
  now(): number;
}

/** What was last seen of jobs. May be lost: the next look tells again. */
export interface Looks {
  take(followUp: FollowUp, seen: Seen): void;
  /** Of a run; undefined when nothing is known. Never rejects. */
  of(run: string): Promise<JobLook | undefined>;
  forget(run: string): void;
}

export function createLooks({ ledger, stored, readable, stuckAfter, changed, fresh, now }: LookParts): Looks {
  const taken = new Map<string, { seen: Seen; at: number; shown: string }>();

  function lookOf({ command, started }: FollowUp, { looks, failures, turn, cut, ...known }: Seen) {
    const isLate = now() >= started + (stuckAfter(command) ?? Number.POSITIVE_INFINITY);
    return {
      ...known,
      ...(failures >= blindAfter ? { blind: true as const } : {}),
      ...(isLate ? { late: true as const } : {}),
    };
  }

  return {
    take(followUp, seen) {
      const look = lookOf(followUp, seen);
      // When it was seen last is said only of what cannot be seen any more.
      const { at, ...lasting } = look;
      const shown = JSON.stringify(look.blind ? look : lasting);
      const before = taken.get(followUp.run)?.shown ?? '{}';
      taken.set(followUp.run, { seen, at: now(), shown });
      if (shown !== before) changed(followUp.invocationId);
    },
    async of(run) {
      const followUp = find(ledger, run);
      if (followUp === undefined || followUp.ended !== undefined) return undefined;
      if (followUp.follow === 'restore' && !readable) return 'no-read';
      const mine = taken.get(run);
      const isNewest = mine !== undefined && now() - mine.at < fresh;
      const seen = (isNewest ? undefined : await stored(followUp.id).catch(() => undefined)) ?? mine?.seen;
      return seen === undefined ? undefined : lookOf(followUp, seen);
    },
    forget: (run) => void taken.delete(run),
  };
}
