import type { RunEntry } from './entry.ts';
import { isUntold } from './news.ts';
import { asksForThaw, awaitsReminder, awaitsReview, isUnknown, mayStillRun, type RunState } from './state.ts';

/** Older outcomes are no news to anybody, in ms before the newest entry: twice as long as they are told. */
const newsFor = 48 * 3_600_000;

const names = ['open', 'following', 'unknown', 'unfollowed', 'reminders', 'unpinged', 'unreviewed'] as const;
type Name = (typeof names)[number];

/** The runs on each list, in its order. */
export type Listed = Readonly<Record<Name, readonly string[]>>;

/** The runs of which something is still to come. */
export function openLists() {
  const lists: Record<Name, ReturnType<typeof list>> = {
    ...{ open: list(), following: list(), unknown: list() },
    ...{ unfollowed: list(), reminders: list(), unpinged: list(), unreviewed: list() },
  };
  const { open, following, unknown, unfollowed, reminders, unpinged, unreviewed } = lists;
  const isOld = ({ outcome }: RunState, now: number): boolean => now - Date.parse(outcome?.time ?? '') > newsFor;
  /** Takes out what is no news any more, from the oldest on. */
  function outdated(now: number): string[] {
    const old: string[] = [];
    for (const state of unpinged.each()) {
      if (!isOld(state, now)) break;
      old.push(state.run);
    }
    for (const run of old) unpinged.drop(run);
    return old;
  }
  return {
    /** Returns the runs that are on one list less. */
    take(state: RunState, { time }: RunEntry): string[] {
      open.keep(state, state.outcome === undefined);
      following.keep(state, state.followUp !== undefined && state.followUp.announced === undefined);
      unknown.keep(state, isUnknown(state));
      unfollowed.keep(state, mayStillRun(state));
      unreviewed.keep(state, awaitsReview(state));
      unpinged.keep(
        state,
        state.outcome !== undefined && (isUntold(state) || asksForThaw(state)) && !isOld(state, Date.parse(time)),
      );
      reminders.keep(state, awaitsReminder(state));
      return unpinged.isEmpty() ? [] : outdated(Date.parse(time));
    },
    has: (run: string): boolean => names.some((name) => lists[name].has(run)),
    listed: (): Listed => ({
      ...{ open: open.runs(), following: following.runs(), unknown: unknown.runs() },
      ...{ unfollowed: unfollowed.runs(), reminders: reminders.runs(), unpinged: unpinged.runs() },
      unreviewed: unreviewed.runs(),
    }),
    /** Puts the runs on the lists that they were on. */
    resume(listed: Listed, stateOf: (run: string) => RunState | undefined): void {
      for (const name of names)
        for (const run of listed[name]) {
          const state = stateOf(run);
          if (state !== undefined) lists[name].keep(state, true);
        }
    },
    ...{ open: open.all, following: following.all, unknown: unknown.all, unfollowed: unfollowed.all },
    ...{ reminders: reminders.all, unpinged: unpinged.all, unreviewed: unreviewed.all },
  };
}

/** A list of the runs for which a condition holds. */
function list() {
  const runs = new Map<string, RunState>();
  return {
    keep(state: RunState, belongs: boolean): void {
      if (belongs) runs.set(state.run, state);
      else runs.delete(state.run);
    },
    drop: (run: string): void => void runs.delete(run),
    has: (run: string): boolean => runs.has(run),
    isEmpty: (): boolean => runs.size === 0,
    each: (): Iterable<RunState> => runs.values(),
    all: (): RunState[] => [...runs.values()],
    runs: (): string[] => [...runs.keys()],
  };
}
