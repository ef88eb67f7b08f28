import { type OpenEffect, openEffects } from './effects.ts';
import { type Entry, isOfRun, type Kind, type RunEntry } from './entry.ts';
import { type FindingHeads, type FindingState, openFindings } from './findings.ts';
import { invocationOf, numberOf } from './ids.ts';
import { type Incident, openIncidents } from './incident.ts';
import { newsOfOutcome } from './news.ts';
import { advance, isOver, isUnknown, mayStillRun, type RunState } from './state.ts';

/** Queries over the ledger. */
export interface Records {
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
  /** Outcomes that closed an effect on a server, oldest first. Returns the live list. */
  closed(effect: string, server: number): readonly { outcome: Ended }[];
  incidents(): Incident[];
  /** Everything ever found tampered with in the trail, oldest first. */
  findings(): FindingState[];
  /** The last alert about findings. */
  alerted(): Kind<'alerted'> | undefined;
  /** All entries, oldest first. Returns the live list. */
  entries(): readonly Entry[];
  /** Outcomes on a server, oldest first, without denials. Returns the live list. */
  outcomes(server: number): readonly Kind<'outcome'>[];
}

type Ended = NonNullable<RunState['outcome']>;

/** The state that the append rules check. */
export interface Heads extends FindingHeads {
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

/** An index of the ledger; `add` takes its entries one by one. */
export function openBook() {
  const entries: Entry[] = [];
  const outcomes = new Map<number, Kind<'outcome'>[]>();
  const invocations = new Map<string, Map<string, RunState>>();
  const lists = listsOfRuns();
  const unfinished = unfinishedOnes();
  const changes = changesOfServers();
  const effects = openEffects();
  const incidents = openIncidents();
  const findings = openFindings();
  const listeners: ((entry: Entry, own: boolean) => void)[] = [];

  const run = (id: string): RunState | undefined => invocations.get(invocationOf(id))?.get(id);

  function set(state: RunState): void {
    const id = invocationOf(state.run);
    const siblings = invocations.get(id) ?? new Map<string, RunState>();
    invocations.set(id, siblings.set(state.run, state));
    lists.take(state);
  }

  /** Indexes the entry by server. */
  function shelve(entry: RunEntry, state: RunState): void {
    const server = entry.server?.id;
    if (server === undefined) return;
    changes.take(server, entry, state);
    if (entry.kind !== 'outcome') return;
    outcomes.set(server, outcomes.get(server) ?? []);
    outcomes.get(server)?.push(entry);
  }

  function addRun(entry: RunEntry): void {
    const state = advance(run(entry.run), entry);
    set(state);
    shelve(entry, state);
    if (entry.kind === 'outcome' || touches(entry, state)) effects.take(state);
    unfinished.keep(entry, [...(invocations.get(invocationOf(entry.run))?.values() ?? [])]);
  }

  const records: Records = {
    runs: (id) => [...(invocations.get(id)?.values() ?? [])].sort((a, b) => numberOf(a.run) - numberOf(b.run)),
    run,
    open: lists.open,
    unfinished: unfinished.all,
    following: lists.following,
    unknown: lists.unknown,
    unfollowed: lists.unfollowed,
    reminders: lists.reminders,
    unpinged: lists.unpinged,
    effects: effects.open,
    closed: effects.closed,
    incidents: incidents.all,
    findings: findings.all,
    alerted: findings.alerted,
    entries: () => entries,
    outcomes: (server) => outcomes.get(server) ?? [],
  };
  const heads: Heads = {
    ...{ run, incident: incidents.get, intents: changes.intents, touched: changes.touched },
    ...{ finding: findings.finding, alerted: findings.alerted },
  };
  return {
    records,
    heads,
    /** Calls `listener` for each new entry. `own`: this process appended it. */
    subscribe: (listener: (entry: Entry, own: boolean) => void): void => void listeners.push(listener),
    add(entry: Entry, own = false): void {
      if (isOfRun(entry)) addRun(entry);
      else if (entry.kind === 'incident') incidents.take(entry);
      else findings.take(entry);
      entries.push(entry);
      for (const listener of listeners) listener(entry, own);
    },
  };
}

/** Changes in progress on each server, and the last one that ended. */
function changesOfServers() {
  const intents = new Map<number, Map<string, Kind<'intent'>>>();
  const touched = new Map<number, RunEntry>();
  return {
    take(server: number, entry: RunEntry, state: RunState): void {
      if (entry.kind === 'intent') intents.set(server, (intents.get(server) ?? new Map()).set(entry.run, entry));
      if (entry.kind === 'outcome') intents.get(server)?.delete(entry.run);
      if (touches(entry, state)) touched.set(server, entry);
    },
    intents: (server: number): readonly Kind<'intent'>[] => [...(intents.get(server)?.values() ?? [])],
    touched: (server: number): RunEntry | undefined => touched.get(server),
  };
}

function listsOfRuns() {
  const [open, following, unknown, unfollowed, reminders] = [list(), list(), list(), list(), list()];
  const unpinged = list();
  return {
    take(state: RunState): void {
      open.keep(state, state.outcome === undefined);
      following.keep(state, state.followUp !== undefined && state.followUp.announced === undefined);
      unknown.keep(state, isUnknown(state));
      unfollowed.keep(state, mayStillRun(state));
      unpinged.keep(state, newsOfOutcome(state).length > 0);
      reminders.keep(state, state.remind !== undefined && state.reminded === undefined);
    },
    ...{ open: open.all, following: following.all, unknown: unknown.all, unfollowed: unfollowed.all },
    reminders: reminders.all,
    unpinged: unpinged.all,
  };
}

/** Tracks invocations that have not ended on every server. */
function unfinishedOnes() {
  const ids = new Set<string>();
  return {
    keep({ kind, run }: RunEntry, states: readonly RunState[]): void {
      // Only the first entry is sure to have the command's options.
      const [first] = states;
      const { options = {} } = first?.asked ?? first?.intent ?? first?.outcome ?? {};
      if (kind === 'denied' || isOver(states, options)) ids.delete(invocationOf(run));
      else if (kind !== 'follow-up' && kind !== 'reminded' && kind !== 'pinged') ids.add(invocationOf(run));
    },
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
    all: (): RunState[] => [...runs.values()],
  };
}
