import type { JobLook } from '../cards/render/known.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FollowUp, followUpOf, type Started, startedAt } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';
import { blindAfter, type Seen } from './seen.ts';

export interface LookParts {
  ledger: Pick<Ledger, 'run'>;
  readable(): boolean;
  /** The longest usual duration of a job of this command, in ms. */
  stuckAfter(command: string): number | undefined;
  /** A look found news. */
  changed(invocationId: string): void;
  now(): number;
}

/** What was last seen of jobs. It is lost with the process, and known again after the first look. */
export interface Looks {
  take(followUp: FollowUp, seen: Seen): void;
  /** For a run; undefined if nothing is known. */
  of(run: string): JobLook | undefined;
  forget(run: string): void;
}

export function createLooks({ ledger, readable, stuckAfter, changed, now }: LookParts): Looks {
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
    take({ run, followUp: { started } }, seen) {
      const look = lookOf(started, seen);
      // A card shows the time of the last look only if looks now fail.
      const { at, ...lasting } = look;
      const shown = JSON.stringify(look.blind ? look : lasting);
      const before = taken.get(run)?.shown ?? '{}';
      taken.set(run, { seen, shown });
      if (shown !== before) changed(invocationOf(run));
    },
    of(run) {
      const { followUp } = followUpOf(ledger.run(run)) ?? {};
      if (followUp === undefined || followUp.ended !== undefined) return undefined;
      const { started } = followUp;
      if (started.job === undefined || (started.follow === 'restore' && !readable())) return 'no-read';
      const mine = taken.get(run);
      return mine && lookOf(started, mine.seen);
    },
    forget: (run) => void taken.delete(run),
  };
}
