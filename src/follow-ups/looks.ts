import { setTimeout as delay } from 'node:timers/promises';
import type { JobLook } from '../cards/render/known.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FollowUp, followUpOf, jobOf, type Started, startedAt } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';
import { blindAfter, type Seen } from './seen.ts';

export interface LookParts {
  ledger: Pick<Ledger, 'run'>;
  /** The state stored in the queue. Rejects if the queue is unavailable. */
  stored(id: string): Promise<Seen | undefined>;
  readable(): boolean;
  /** The longest usual duration of a job of this command, in ms. */
  stuckAfter(command: string): number | undefined;
  /** A look found news. */
  changed(invocationId: string): void;
  /** How long this process's last look counts as the newest, in ms: others may be looking too. */
  fresh: number;
  now(): number;
}

/** What was last seen of jobs. May be lost: the next look restores it. */
export interface Looks {
  take(followUp: FollowUp, seen: Seen): void;
  /** For a run; undefined if nothing is known. Never rejects. */
  of(run: string): Promise<JobLook | undefined>;
  forget(run: string): void;
}

/** How long a card waits for the queue, in ms. */
const queueTimeout = 250;

export function createLooks({ ledger, stored, readable, stuckAfter, changed, fresh, now }: LookParts): Looks {
  const taken = new Map<string, { seen: Seen; at: number; shown: string }>();

  function lookOf(started: Started, { looks, failures, turn, cut, ...known }: Seen) {
    const isLate = now() >= startedAt(started) + (stuckAfter(started.command) ?? Number.POSITIVE_INFINITY);
    return {
      ...known,
      ...(failures >= blindAfter ? { blind: true as const } : {}),
      ...(isLate ? { late: true as const } : {}),
    };
  }

  function take({ run, followUp: { started } }: FollowUp, seen: Seen): void {
    const look = lookOf(started, seen);
    // A card shows the time of the last look only if looks now fail.
    const { at, ...lasting } = look;
    const shown = JSON.stringify(look.blind ? look : lasting);
    const before = taken.get(run)?.shown ?? '{}';
    taken.set(run, { seen, at: now(), shown });
    if (shown !== before) changed(invocationOf(run));
  }

  const openAt = (run: string): FollowUp | undefined => {
    const state = followUpOf(ledger.run(run));
    return state?.followUp.ended === undefined ? state : undefined;
  };

  /** Reads the state from the queue. Does not wait for a Redis that times out: a late answer counts as a look. */
  async function storedOf({ run, followUp }: FollowUp): Promise<Seen | undefined> {
    const before = taken.get(run);
    let isLate = false;
    const asked = stored(jobOf(followUp.started)).catch(() => undefined);
    void asked.then((seen) => {
      const state = openAt(run);
      if (isLate && seen !== undefined && state !== undefined && taken.get(run) === before) take(state, seen);
    });
    const seen = await Promise.race([asked, delay(queueTimeout, 'late' as const, { ref: false })]);
    isLate = seen === 'late';
    return seen === 'late' ? undefined : seen;
  }

  return {
    take,
    async of(run) {
      const state = openAt(run);
      if (state === undefined) return undefined;
      const { started } = state.followUp;
      if (started.job === undefined || (started.follow === 'restore' && !readable())) return 'no-read';
      const mine = taken.get(run);
      const isNewest = mine !== undefined && now() - mine.at < fresh;
      const seen = (isNewest ? undefined : await storedOf(state)) ?? mine?.seen;
      return seen === undefined ? undefined : lookOf(started, seen);
    },
    forget: (run) => void taken.delete(run),
  };
}
