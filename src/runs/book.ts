import { type OpenEffect, openEffects } from './effects.ts';
import { bySeq, type Entries, inMemory, type Kept } from './entries.ts';
import { type Entry, isOfRun, type Kind, type RunEntry } from './entry.ts';
import { type FindingHeads, type FindingState, openFindings } from './findings.ts';
import { isOfStop, openStops, type ServerHold, type Stops } from './freezes.ts';
import { invocationOf, numberOf } from './ids.ts';
import { type Incident, openIncidents } from './incident.ts';
import { newsOfOutcome } from './news.ts';
import { type Outcomes, openOutcomes } from './outcomes.ts';
import { openPast, type Past } from './past.ts';
import { isOver, isUnknown, mayStillRun, orderOf, type RunState } from './state.ts';
import { openStates } from './states.ts';

/** Queries over the ledger. */
export interface Records extends Stops {
  /** All runs of an invocation, by run number. */
  runs(invocationId: string): RunState[];
  run(id: string): RunState | undefined;
  /** Runs without an outcome, oldest first. */
  open(): RunState[];
  /** Invocations that have not ended on every server, oldest first. */
  unfinished(): string[];
  /** Runs with a follow-up that started and whose end is not announced, oldest first. */
  following(): RunState[];
  /** Runs whose outcome is unknown and unresolved, oldest first. */
  unknown(): RunState[];
  /** Runs that may still be running in the panel although their follow-up has ended, oldest first. */
  unfollowed(): RunState[];
  /** Runs with a reminder that has not been sent. */
  reminders(): RunState[];
  /** Runs with an outcome that people may have to be pinged about. */
  unpinged(): RunState[];
  /** Open effects, oldest first; of one server, or of all. */
  effects(server?: number): OpenEffect[];
  /** Outcomes that closed an effect on a server, oldest first. */
  closed(effect: string, server: number): Outcomes;
  /** Held servers at a time, in ms; oldest first. */
  holds(at: number): readonly ServerHold[];
  incidents(): Incident[];
  /** Everything ever found tampered with in the trail, oldest first. */
  findings(): FindingState[];
  /** The last alert about findings. */
  alerted(): Kind<'alerted'> | undefined;
  /** All entries, oldest first; they grow with the ledger. */
  entries(): Entries;
  /** Outcomes on a server, oldest first, without denials; they grow with the ledger. */
  outcomes(server: number): Outcomes;
  /** Where to look far back. */
  past: Past;
}

/** The state that the append rules check. */
export interface Heads extends FindingHeads, Stops {
  run(id: string): RunState | undefined;
  incident(id: string): Incident | undefined;
  /** Intents on a server without an outcome. */
  intents(server: number): readonly Kind<'intent'>[];
  /** The last entry about the end of a change on a server. */
  touched(server: number): RunEntry | undefined;
}

export type Book = ReturnType<typeof openBook>;

/** Whether an entry says how a change on its server ended: older decisions about that server are then stale. */
export const touches = (entry: RunEntry, { intent }: RunState): boolean =>
  (entry.kind === 'outcome' && intent !== undefined) ||
  entry.kind === 'resolved' ||
  (entry.kind === 'follow-up' && entry.step === 'ended');

/** An index of the ledger; `add` takes its entries one by one. `entries`: where they are kept. */
export function openBook(entries: Kept = inMemory()) {
  const outcomes = openOutcomes(entries);
  const states = openStates(entries);
  const lists = listsOfRuns();
  const unfinished = unfinishedOnes();
  const changes = changesOfServers(entries);
  const effects = openEffects(outcomes.load);
  const incidents = openIncidents();
  const [findings, stops] = [openFindings(), openStops()];
  const past = openPast(entries, states);
  const listeners: ((entry: Entry, own: boolean) => void)[] = [];

  /** Indexes the entry by server. */
  function shelve(entry: RunEntry, state: RunState): void {
    past.take(entry);
    const server = entry.server?.id;
    if (server === undefined) return;
    changes.take(server, entry, state);
    if (entry.kind === 'outcome') outcomes.take(server, entry.seq);
  }

  function addRun(entry: RunEntry): void {
    const state = states.take(entry);
    for (const old of lists.take(state, entry)) settle(invocationOf(old), allOf(invocationOf(old)));
    shelve(entry, state);
    if (entry.kind === 'outcome' || touches(entry, state)) effects.take(state);
    const id = invocationOf(entry.run);
    const all = allOf(id);
    unfinished.keep(entry, all);
    settle(id, all);
  }

  const allOf = (id: string): RunState[] => [...(states.of(id)?.values() ?? [])];

  /** What is over may be forgotten. */
  function settle(id: string, all: readonly RunState[]): void {
    if (!unfinished.has(id) && !all.some(({ run }) => lists.has(run))) states.settle(id);
  }

  const records: Records = {
    runs: (id) => allOf(id).sort((a, b) => numberOf(a.run) - numberOf(b.run)),
    run: states.run,
    open: lists.open,
    unfinished: unfinished.all,
    following: lists.following,
    unknown: lists.unknown,
    unfollowed: lists.unfollowed,
    reminders: lists.reminders,
    unpinged: lists.unpinged,
    effects: effects.open,
    closed: (effect, server) => outcomes.listed(effects.closed(effect, server)),
    ...{ freezes: stops.freezes, hold: stops.hold, holds: stops.holds },
    incidents: incidents.all,
    ...{ findings: findings.all, alerted: findings.alerted },
    entries: () => entries,
    outcomes: outcomes.of,
    past: past.records,
  };
  const heads: Heads = {
    ...{ run: states.run, incident: incidents.get, intents: changes.intents, touched: changes.touched },
    ...{ finding: findings.finding, alerted: findings.alerted, freezes: stops.freezes, hold: stops.hold },
  };
  return {
    records,
    heads,
    /** Calls `listener` for each new entry. `own`: this process appended it. */
    subscribe: (listener: (entry: Entry, own: boolean) => void): void => void listeners.push(listener),
    /** `size`: the bytes of its line, where it is in a file. */
    add(entry: Entry, own = false, size = 0): void {
      entries.add(entry, size);
      if (isOfRun(entry)) addRun(entry);
      else if (entry.kind === 'incident') incidents.take(entry);
      else if (isOfStop(entry)) stops.take(entry);
      else findings.take(entry);
      for (const listener of listeners) listener(entry, own);
    },
  };
}

/** Changes in progress on each server, and the last one that ended. */
function changesOfServers(entries: Entries) {
  const intents = new Map<number, Map<string, Kind<'intent'>>>();
  const touched = new Map<number, number>();
  return {
    take(server: number, entry: RunEntry, state: RunState): void {
      if (entry.kind === 'intent') intents.set(server, (intents.get(server) ?? new Map()).set(entry.run, entry));
      if (entry.kind === 'outcome') intents.get(server)?.delete(entry.run);
      if (touches(entry, state)) touched.set(server, entry.seq);
    },
    intents: (server: number): readonly Kind<'intent'>[] => [...(intents.get(server)?.values() ?? [])],
    touched(server: number): RunEntry | undefined {
      const entry = bySeq(entries, touched.get(server) ?? 0);
      return entry !== undefined && isOfRun(entry) ? entry : undefined;
    },
  };
}

/** Older outcomes are no news to anybody, in ms before the newest entry: twice as long as they are told. */
const newsFor = 48 * 3_600_000;

function listsOfRuns() {
  const [open, following, unknown, unfollowed, reminders] = [list(), list(), list(), list(), list()];
  const unpinged = list();
  const all = [open, following, unknown, unfollowed, reminders, unpinged];
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
      unpinged.keep(state, newsOfOutcome(state).length > 0 && !isOld(state, Date.parse(time)));
      reminders.keep(state, state.remind !== undefined && state.reminded === undefined);
      return unpinged.isEmpty() ? [] : outdated(Date.parse(time));
    },
    has: (run: string): boolean => all.some((each) => each.has(run)),
    ...{ open: open.all, following: following.all, unknown: unknown.all, unfollowed: unfollowed.all },
    reminders: reminders.all,
    unpinged: unpinged.all,
  };
}

/** Entries that neither begin nor go on with a command. */
const beside = new Set<RunEntry['kind']>(['follow-up', 'reminded', 'pinged', 'called', 'read-back']);

/** Tracks invocations that have not ended on every server. */
function unfinishedOnes() {
  const ids = new Set<string>();
  return {
    keep({ kind, run }: RunEntry, states: readonly RunState[]): void {
      // Only the first entry is sure to have the command's options.
      const [first] = states;
      const { options = {} } = (first && orderOf(first)) ?? {};
      if (kind === 'denied' || isOver(states, options)) ids.delete(invocationOf(run));
      else if (!beside.has(kind)) ids.add(invocationOf(run));
    },
    has: (id: string): boolean => ids.has(id),
    all: (): string[] => [...ids],
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
  };
}
