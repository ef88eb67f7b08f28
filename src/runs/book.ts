import type { RawOptions } from '../outcome.ts';
import { type Alerts, openAlerts } from './alerts.ts';
import { type OpenEffect, openEffects } from './effects.ts';
import {
  bySeq,
  type Entries,
  type EntryStore,
  flags,
  inMemory,
  isEvent,
  type Outcomes,
  outcomeAt,
  outcomesOf,
  type Row,
  rowOf,
} from './entries.ts';
import { type Entry, type EventEntry, isOfRun, type Kind, type RunEntry } from './entry.ts';
import { type FindingHeads, type FindingState, openFindings } from './findings.ts';
import { isRestoreJob, type RestoreJob } from './follow-up.ts';
import { isOfStop, openStops, type ServerHold, type Stops } from './freezes.ts';
import { invocationOf, numberOf } from './ids.ts';
import { type Incident, openIncidents } from './incident.ts';
import { type Listed, type Lists, openLists } from './lists.ts';
import { listed, numbersBy, type Seqs } from './numbers.ts';
import { isOver, orderOf, type RunState } from './state.ts';
import { openStates } from './states.ts';

/** What the ledger says of everything, by which the append rules judge, too. */
export interface Records extends Heads, Lists {
  /** All runs of an invocation, by run number. */
  runs(invocationId: string): RunState[];
  /** Invocations that have not ended on every server, oldest first. */
  unfinished(): string[];
  /** Open effects, oldest first; of one server, or of all. */
  effects(server?: number): OpenEffect[];
  /** Outcomes that opened an effect on a server, or may have, oldest first. */
  opened(effect: string, server: number): Outcomes;
  /** Outcomes that closed an effect on a server, oldest first. */
  closed(effect: string, server: number): Outcomes;
  /** Held servers at a time, in ms; oldest first. */
  holds(at: number): readonly ServerHold[];
  incidents(): Incident[];
  alerts: Alerts;
  /** Everything ever found tampered with in the trail, oldest first. */
  findings(): FindingState[];
  /** The last change of a schedule's shift that was told. */
  shift(schedule: string): Kind<'shift'> | undefined;
  /** All entries, oldest first; they grow with the ledger. */
  entries(): Entries;
  /** Outcomes on a server, oldest first, without denials; they grow with the ledger. */
  outcomes(server: number): Outcomes;
  past: Past;
}

/** The state that the append rules check. */
export interface Heads extends FindingHeads, Stops {
  run(id: string): RunState | undefined;
  incident(id: string): Incident | undefined;
  alerts: Pick<Alerts, 'card'>;
  intents(server: number): readonly Kind<'intent'>[];
  /** The last entry about the end of a change on a server. */
  touched(server: number): RunEntry | undefined;
}

/** What is still to come: the invocations that have not ended, and the runs on each list. */
export interface Unsettled {
  unfinished: readonly string[];
  listed: Listed;
}

export type Book = ReturnType<typeof openBook>;

/** An index of the ledger; `add` takes its entries one by one. `entries`: where they are kept. */
export function openBook(entries: EntryStore = inMemory()) {
  const { states, place, ...indexes } = openIndexes(entries);
  const lists = openLists();
  const unfinished = new Set<string>();
  const intents = intentsOfServers();
  const events = openEvents();
  const listeners: ((entry: Entry) => void)[] = [];

  function takeRun(entry: RunEntry, state: RunState): void {
    for (const old of lists.take(state, entry)) settle(invocationOf(old), allOf(invocationOf(old)));
    intents.take(entry);
    const id = invocationOf(entry.run);
    const all = allOf(id);
    if (entry.kind === 'denied' || isOver(all, optionsOf(all))) unfinished.delete(id);
    else if (opensAgain[entry.kind]) unfinished.add(id);
    settle(id, all);
  }

  const allOf = (id: string): RunState[] => [...(states.of(id)?.values() ?? [])];

  /** What is over may be forgotten. */
  function settle(id: string, all: readonly RunState[]): void {
    if (!unfinished.has(id) && !all.some(({ run }) => lists.has(run))) states.settle(id);
  }

  const records: Records = {
    ...{ run: states.run, runs: (id) => allOf(id).sort((a, b) => numberOf(a.run) - numberOf(b.run)) },
    ...{ ...indexes, ...lists.all, ...events.records, intents: intents.of },
    unfinished: () => [...unfinished],
    entries: () => entries,
  };
  return {
    records,
    /** Calls `listener` for each new entry. */
    subscribe: (listener: (entry: Entry) => void): void => void listeners.push(listener),
    /** `size`: the bytes of its line, where it is in a file. Returns what it adds to the index. */
    add(entry: Entry, size = 0): Row {
      const state = isOfRun(entry) ? states.take(entry) : undefined;
      const row = rowOf(entry, size, state);
      entries.add(entry, row);
      place(entry.seq, row);
      if (isEvent(entry)) events.take(entry);
      else if (state !== undefined) takeRun(entry, state);
      for (const listener of listeners) listener(entry);
      return row;
    },
    /** Adds the last of `entries` without reading it, unless it is of no run. */
    place(row: Row): void {
      place(entries.length, row);
      const entry = row.thread === 0 ? entries.at(-1) : undefined;
      if (entry !== undefined && isEvent(entry)) events.take(entry);
    },
    /** What `place` does not know: read again, it is all that is still to come. */
    unsettled: (): Unsettled => ({ unfinished: [...unfinished], listed: lists.listed() }),
    resume({ unfinished: ids, listed }: Unsettled): void {
      for (const id of [...ids, ...Object.values(listed).flat().map(invocationOf)]) states.hold(id);
      for (const id of ids) unfinished.add(id);
      lists.resume(listed, states.run);
      for (const { intent } of records.open()) if (intent !== undefined) intents.take(intent);
    },
  };
}

/** Whether an entry begins a command or goes on with it: the others open nothing again. */
const opensAgain = {
  ...{ requested: true, asked: true, approved: true, confirmed: true, intent: true },
  ...{ outcome: true, denied: true, resolved: true, reviewed: false, 'read-back': false },
  ...{ 'follow-up': false, reminded: false, pinged: false, called: false },
} as const satisfies Record<RunEntry['kind'], boolean>;

/** Only the first entry is sure to have the command's options. */
const optionsOf = ([first]: readonly RunState[]): RawOptions => (first && orderOf(first))?.options ?? {};

/** What entries of no run say. */
function openEvents() {
  const incidents = openIncidents();
  const alerts = openAlerts();
  const [findings, stops] = [openFindings(), openStops()];
  const shifts = new Map<string, Kind<'shift'>>();
  return {
    records: {
      ...{ freezes: stops.freezes, hold: stops.hold, holds: stops.holds, alerts },
      ...{ incidents: incidents.all, incident: incidents.get },
      ...{ findings: findings.all, finding: findings.finding, alerted: findings.alerted },
      shift: (schedule: string) => shifts.get(schedule),
    },
    take(entry: EventEntry): void {
      if (entry.kind === 'incident') incidents.take(entry);
      else if (entry.kind === 'alert') alerts.take(entry);
      else if (entry.kind === 'shift') shifts.set(entry.schedule, entry);
      else if (isOfStop(entry)) stops.take(entry);
      else findings.take(entry);
    },
  };
}

function intentsOfServers() {
  const intents = new Map<number, Map<string, Kind<'intent'>>>();
  return {
    take(entry: RunEntry): void {
      const server = entry.server?.id;
      if (server === undefined) return;
      if (entry.kind === 'intent') intents.set(server, (intents.get(server) ?? new Map()).set(entry.run, entry));
      if (entry.kind === 'outcome') intents.get(server)?.delete(entry.run);
    },
    of: (server: number): readonly Kind<'intent'>[] => [...(intents.get(server)?.values() ?? [])],
  };
}

/** Where to find the entries of runs: all that rows alone say. */
function openIndexes(entries: EntryStore) {
  const states = openStates(entries);
  const effects = openEffects((seq) => outcomeAt(entries, seq));
  /** By server; 0: of those that name none. */
  const named = numbersBy();
  const outcomes = numbersBy();
  const touched = new Map<number, number>();
  let lastRestore = 0;
  const read = (seq: number): Entry | undefined => bySeq(entries, seq);
  const past: Past = {
    events: () => entries.events,
    servers: () => [...named.keys()].filter((id) => id !== 0),
    ofServer: (id = 0) => named.of(id),
    lastRestore() {
      const entry = read(lastRestore);
      return entry !== undefined && isRestoreJob(entry) ? entry : undefined;
    },
    ...{ ofInvocation: states.entriesOf, hasLater: states.hasLater, before: states.before },
  };
  return {
    ...{ states, past, effects: effects.open },
    outcomes: (server: number) => outcomesOf(entries, outcomes.of(server)),
    opened: (effect: string, server: number) => outcomesOf(entries, listed(effects.opened(effect, server))),
    closed: (effect: string, server: number) => outcomesOf(entries, listed(effects.closed(effect, server))),
    touched(server: number): RunEntry | undefined {
      const entry = read(touched.get(server) ?? 0);
      return entry !== undefined && isOfRun(entry) ? entry : undefined;
    },
    place(seq: number, row: Row): void {
      if (row.thread === 0) return;
      states.place(row.thread, seq);
      named.push(row.server, seq);
      if ((row.flags & flags.restore) !== 0) lastRestore = seq;
      if (row.server === 0) return;
      if ((row.flags & flags.outcome) !== 0) outcomes.push(row.server, seq);
      if ((row.flags & flags.touches) !== 0) touched.set(row.server, seq);
      if (row.effects !== undefined) effects.put(row.effects);
    },
  };
}

/** The ledger by what people look for in it. All of it is `seq` of entries, oldest first. */
interface Past {
  /** Entries of no run. */
  events(): readonly EventEntry[];
  /** Servers that an entry of a run names. */
  servers(): Iterable<number>;
  /** Entries of runs on a server, or undefined: of those that name none. */
  ofServer(server: number | undefined): Seqs;
  /** The entries of an invocation. `read`: how to read one of them. */
  ofInvocation(id: string, read?: (seq: number) => Entry | undefined): readonly RunEntry[];
  lastRestore(): RestoreJob | undefined;
  /** Whether a later entry belongs to the same invocation. Rarely yes, although none does. */
  hasLater(seq: number): boolean;
  /** The `seq` of the entry before of the same invocation, or rarely of another; 0: none. */
  before(seq: number): number;
}
