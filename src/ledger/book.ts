import { type Entry, isOfRun, type RunEntry } from './entry.ts';
import { proceed } from './incidents.ts';
import type { Incident, Records, RunState } from './ledger.ts';
import { looseEnds } from './loose.ts';
import { advance, isUnknown } from './runs.ts';

export type Book = ReturnType<typeof openBook>;

const stemOf = (run: string): string => run.split('.', 1).join();
const numberOf = (run: string): number => Number(run.split('.')[1]);

/** Everything that the ledger holds, ready to be asked. */
export function openBook() {
  const entries: Entry[] = [];
  const outcomes = new Map<number, RunEntry[]>();
  const stems = new Map<string, Map<string, RunState>>();
  const open = new Map<string, RunState>();
  const following = new Map<string, RunState>();
  const unknown = new Map<string, RunState>();
  const reminders = new Map<string, RunState>();
  const ends = looseEnds();
  const incidents = new Map<string, Incident>();

  const get = (run: string): RunState | undefined => stems.get(stemOf(run))?.get(run);

  /** Keeps a run in one of the lists, or not. */
  function keep(list: Map<string, RunState>, state: RunState, belongs: boolean): void {
    if (belongs) list.set(state.run, state);
    else list.delete(state.run);
  }

  function set(state: RunState): void {
    const stem = stemOf(state.run);
    const siblings = stems.get(stem) ?? new Map<string, RunState>();
    stems.set(stem, siblings.set(state.run, state));
    keep(open, state, state.outcome === undefined);
    keep(following, state, state.followUp !== undefined && state.followUp.announced === undefined);
    keep(unknown, state, isUnknown(state));
    keep(reminders, state, state.remind !== undefined && state.reminded === undefined);
  }

  function shelve(outcome: RunEntry): void {
    if (outcome.server === undefined) return;
    const list = outcomes.get(outcome.server.id);
    if (list === undefined) outcomes.set(outcome.server.id, [outcome]);
    else list.push(outcome);
  }

  function addEvent(entry: Exclude<Entry, RunEntry>): void {
    if (entry.kind === 'incident') incidents.set(entry.incident, proceed(incidents.get(entry.incident), entry));
  }

  /** What can be asked. */
  const records: Records = {
    runs: (stem) => [...(stems.get(stem)?.values() ?? [])].sort((a, b) => numberOf(a.run) - numberOf(b.run)),
    open: () => [...open.values()],
    following: () => [...following.values()],
    unknown: () => [...unknown.values()],
    reminders: () => [...reminders.values()],
    loose: ends.all,
    last: ends.last,
    closed: ends.closed,
    incidents: () => [...incidents.values()],
    entries: () => entries,
    outcomes: (server) => outcomes.get(server) ?? [],
  };
  return {
    records,
    get,
    incident: (id: string): Incident | undefined => incidents.get(id),
    /** Throws SecondOutcome, and is as it was then, when a run or an incident can take no such entry. */
    add(entry: Entry): void {
      if (isOfRun(entry)) {
        const state = advance(get(entry.run), entry);
        set(state);
        const decides = entry.kind === 'outcome' || entry.kind === 'resolved' || entry.step === 'ended';
        if (decides) ends.take(state);
        if (entry.kind === 'outcome') shelve(entry);
      } else addEvent(entry);
      entries.push(entry);
    },
  };
}
