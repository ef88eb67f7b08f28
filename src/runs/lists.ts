import type { RunEntry } from './entry.ts';
import { isUntold } from './news.ts';
import { asksForThaw, awaitsReminder, awaitsReview, isUnknown, mayStillRun, type RunState } from './state.ts';

/** How long an outcome stays on the list of the unpinged, in ms up to the newest entry: twice as long as it is news. */
const unpingedFor = 48 * 3_600_000;
const isOld = ({ outcome }: RunState, now: number): boolean => now - Date.parse(outcome?.time ?? '') > unpingedFor;

/** The lists of runs of which something is still to come, and who is on each. `now`: of the newest entry, in ms. */
const lists = {
  /** Without an outcome. */
  open: ({ outcome }) => outcome === undefined,
  /** A follow-up started, and its end is not announced. */
  following: ({ followUp }) => followUp !== undefined && followUp.announced === undefined,
  /** The outcome is unknown and unresolved. */
  unknown: isUnknown,
  /** It may still be running in the panel although its follow-up has ended. */
  unfollowed: mayStillRun,
  /** A reminder has not been sent. */
  reminders: awaitsReminder,
  /** People may have to be pinged about the outcome. */
  unpinged: (state, now) =>
    state.outcome !== undefined && (isUntold(state) || asksForThaw(state)) && !isOld(state, now),
  /** Break-glass, whose review nobody has closed. */
  unreviewed: awaitsReview,
} satisfies Readonly<Record<string, (state: RunState, now: number) => boolean>>;
type Name = keyof typeof lists;
// Its keys are the names, and no others.
const names = Object.keys(lists) as Name[];

/** The runs on each list, oldest first. */
export type Lists = { [name in Name]: () => RunState[] };
/** The same by their ids. */
export type Listed = Readonly<Record<Name, readonly string[]>>;

const each = <T>(make: (name: Name) => T): Record<Name, T> =>
  // There is one for each name.
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

export function openLists() {
  const runs = each(() => new Map<string, RunState>());
  const all: Lists = each((name) => () => [...runs[name].values()]);
  return {
    all,
    /** Returns the runs that are on one list less: they are no news any more. */
    take(state: RunState, { time }: RunEntry): string[] {
      const now = Date.parse(time);
      for (const name of names)
        if (lists[name](state, now)) runs[name].set(state.run, state);
        else runs[name].delete(state.run);
      const old: string[] = [];
      for (const oldest of runs.unpinged.values()) {
        if (!isOld(oldest, now)) break;
        old.push(oldest.run);
      }
      for (const run of old) runs.unpinged.delete(run);
      return old;
    },
    has: (run: string): boolean => names.some((name) => runs[name].has(run)),
    listed: (): Listed => each((name) => [...runs[name].keys()]),
    /** Puts the runs on the lists that they were on. */
    resume(listed: Listed, stateOf: (run: string) => RunState | undefined): void {
      for (const name of names)
        for (const run of listed[name]) {
          const state = stateOf(run);
          if (state !== undefined) runs[name].set(run, state);
        }
    },
  };
}
