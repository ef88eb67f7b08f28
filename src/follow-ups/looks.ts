import { setTimeout as delay } from 'node:timers/promises';
import type { JobLook } from '../cards/render/known.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FollowUp, followUpOf, jobOf, type Started, startedAt } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';
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

/** How long a card waits for what the queue holds, in ms. */
const patience = 250;

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
    // When it was seen last is said only of what cannot be seen any more.
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

  /** What the queue holds. The outcome does not wait for a Redis that times out: what comes late is taken as a look. */
  async function storedOf({ run, followUp }: FollowUp): Promise<Seen | undefined> {
    const before = taken.get(run);
    let isLate = false;
    const asked = stored(jobOf(followUp.started)).catch(() => undefined);
    void asked.then((seen) => {
      const state = openAt(run);
      if (isLate && seen !== undefined && state !== undefined && taken.get(run) === before) take(state, seen);
    });
    const seen = await Promise.race([asked, delay(patience, 'late' as const, { ref: false })]);
    isLate = seen === 'late';
    return seen === 'late' ? undefined : seen;
  }

  return {
    take,
    async of(run) {
      const state = openAt(run);
      if (state === undefined) return undefined;
      const { started } = state.followUp;
      if (started.follow === 'restore' && (!readable || started.job === undefined)) return 'no-read';
      const mine = taken.get(run);
      const isNewest = mine !== undefined && now() - mine.at < fresh;
      const seen = (isNewest ? undefined : await storedOf(state)) ?? mine?.seen;
      return seen === undefined ? undefined : lookOf(started, seen);
    },
    forget: (run) => void taken.delete(run),
  };
}
