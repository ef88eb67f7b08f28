import type { End, Outcome } from '../outcome.ts';
import { aboutServer, alertsOf } from '../runs/alert-steps.ts';
import { between, type Entries, eventsIn, view } from '../runs/entries.ts';
import {
  type Entry,
  type EntryServer,
  type EventEntry,
  foldedIn,
  isOfRun,
  type Kind,
  type RunEntry,
  type Step,
  timesOf,
} from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { numbers } from '../runs/numbers.ts';
import { walk } from '../walk.ts';
import { wordsOf } from './details.ts';

export { isOfRun };

/** Which entries to select; a missing member restricts nothing. Times in ms, `since` inclusive, `until` exclusive. */
export interface Selection {
  since?: number | undefined;
  until?: number | undefined;
  /** `name`: an additional name that people may have typed, besides those in the entries. */
  server?: { id: number; name?: string | undefined } | undefined;
  incident?: string | undefined;
  /** Who took any of its steps. */
  person?: string | undefined;
  command?: string | undefined;
  outcome?: Outcome | End | undefined;
}

/** The entries of one run, oldest first. */
export interface Run {
  run: string;
  entries: readonly RunEntry[];
  first: RunEntry;
  outcome?: Kind<'outcome' | 'denied'>;
  /** The outcome, or else the furthest step. */
  furthest: RunEntry;
  /** The last of `furthest`, `end` and `resolved`. */
  newest: RunEntry;
  end?: Step<'ended'>;
  resolved?: Kind<'resolved'>;
}

/** Whether it is a step before the outcome. */
const isStage = (entry: RunEntry): boolean => wordsOf(entry).stands !== undefined;

const isEnd = (entry: RunEntry): entry is Step<'ended'> => entry.kind === 'follow-up' && entry.step === 'ended';

/** The entries of each run, in the order the runs began. */
type Grouped = Map<string, [RunEntry, ...RunEntry[]]>;

const isDefined = (value: unknown): boolean => value !== undefined;

function group(byRun: Grouped, entry: Entry): void {
  if (!isOfRun(entry)) return;
  const known = byRun.get(entry.run);
  if (known === undefined) byRun.set(entry.run, [entry]);
  else known.push(entry);
}

function runOf(all: [RunEntry, ...RunEntry[]]): Run {
  const [first] = all;
  const outcome = all.find((entry) => entry.kind === 'outcome' || entry.kind === 'denied');
  const end = all.findLast(isEnd);
  const resolved = all.find((entry) => entry.kind === 'resolved');
  const furthest = outcome ?? all.findLast(isStage) ?? first;
  return {
    run: first.run,
    entries: all,
    first,
    furthest,
    newest: all.findLast((entry) => entry === furthest || entry === end || entry === resolved) ?? furthest,
    outcome,
    end,
    resolved,
  };
}

/** The runs in these entries, in the order they began. Synchronous, so only for part of the ledger. */
export function runsOf(entries: readonly Entry[]): Run[] {
  const byRun: Grouped = new Map();
  for (const entry of entries) group(byRun, entry);
  return [...byRun.values()].map(runOf);
}

/** Calls `take` for each selected run, regardless of time, as soon as its last entry was read. */
async function eachRun(
  entries: Entries,
  selection: Omit<Selection, 'since' | 'until'>,
  take: (run: Run) => void,
): Promise<void> {
  const inIncident = incidentOf(entries, selection.incident);
  const server = onServer(selection.server);
  /** Runs that name a server only as typed. */
  const typed: Run[] = [];
  const judge = (all: [RunEntry, ...RunEntry[]]): void => {
    const run = runOf(all);
    if (!fits(run, selection) || !inIncident(run)) return;
    if (server.isOn(run)) take(run);
    else if (all.some((entry) => entry.server === undefined)) typed.push(run);
  };
  /** By invocation. */
  const open = new Map<string, Grouped>();
  await walk(entries, (each) => {
    if (!isOfRun(each)) return;
    const id = invocationOf(each.run);
    const byRun = open.get(id) ?? new Map();
    open.set(id, byRun);
    server.learn(each);
    group(byRun, each);
    // Drop finished invocations from memory.
    if (entries.hasLater?.(each.seq) !== false) return;
    open.delete(id);
    for (const all of byRun.values()) judge(all);
  });
  await walk(open.values(), (byRun) => {
    for (const all of byRun.values()) judge(all);
  });
  // Now all names of the server are known.
  await walk(typed, (run) => {
    if (server.isNamed(run)) take(run);
  });
}

/** Runs without an outcome, by what they wait for. */
export function waitingIn(runs: readonly Run[]): ReadonlyMap<string, Run[]> {
  const waiting = new Map<string, Run[]>();
  for (const run of runs) {
    const { waits } = wordsOf(run.furthest);
    if (waits !== undefined) waiting.set(waits, [...(waiting.get(waits) ?? []), run]);
  }
  return waiting;
}

type WithOutcome = Pick<Run, 'outcome'>;

/** How many outcomes there are, counting folded denials. */
export const countOf = (runs: readonly WithOutcome[]): number =>
  runs.reduce((sum, { outcome }) => sum + (outcome === undefined ? 1 : timesOf(outcome)), 0);

/** "3 succeeded", "1 denied": in order of first occurrence. */
function counted<R extends WithOutcome>(runs: readonly R[], wordOf: (run: R) => string | undefined): string[] {
  const counts = new Map<string, number>();
  for (const run of runs) {
    const word = wordOf(run);
    if (word !== undefined && run.outcome !== undefined)
      counts.set(word, (counts.get(word) ?? 0) + timesOf(run.outcome));
  }
  return [...counts].map(([word, times]) => `${times} ${word}`);
}

/** How a run ended, as it is known now: from its job, or from a person. */
function endOf({ outcome, end, resolved }: Run): string | undefined {
  const isLater = resolved !== undefined && resolved.running !== true && resolved.seq > (end?.seq ?? 0);
  if (isLater) return resolved.happened ? 'happened' : 'did not happen';
  const word = end === undefined || end.end === 'stopped' ? outcome?.outcome : end.end;
  return word === 'succeeded' || word === 'finished' ? 'done' : word;
}

/** "3 done", "1 denied" */
export const endsOf = (runs: readonly Run[]): string[] => counted(runs, endOf);

const listed = (runs: readonly WithOutcome[], words: readonly string[]): string =>
  `${countOf(runs)}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;

/** "3 (2 done, 1 denied)" */
export const endsText = (runs: readonly Run[]): string => listed(runs, endsOf(runs));

/** "3 (2 succeeded, 1 denied)" */
export const runsText = (runs: readonly WithOutcome[], others: readonly string[]): string =>
  listed(runs, [...counted(runs, ({ outcome }) => outcome?.outcome), ...others]);

/** The selected entries, in order. Of a matching run, all entries within the time range. */
export async function select(entries: Entries, selection: Selection): Promise<Entries> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...ofRuns } = selection;
  const matching = new Set<string>();
  const isAny = !Object.values(ofRuns).some(isDefined);
  if (isAny && selection.since === undefined && selection.until === undefined) return entries;
  if (!isAny) await eachRun(entries, selection, ({ run }) => void matching.add(run));
  const isSelected = eventsOf(entries, selection);
  const [from, to] = entries.span?.(since, until) ?? [0, entries.length];
  const selected = numbers();
  let index = from;
  await walk(between(entries, from, to), (entry) => {
    index += 1;
    const at = Date.parse(entry.time);
    if (at < since || at >= until) return;
    if (isOfRun(entry) ? isAny || matching.has(entry.run) : isSelected(entry)) selected.push(index);
  });
  return view(entries, selected);
}

/** Whether a run is of that person, command and outcome. */
export function fits({ entries, outcome, end }: Run, selection: Selection): boolean {
  const { person, command } = selection;
  return (
    (person === undefined || entries.some((entry) => entry.actor.id === person || isReportedBy(entry, person))) &&
    (command === undefined || entries.some((entry) => isOf(entry, command))) &&
    (selection.outcome === undefined || outcome?.outcome === selection.outcome || end?.end === selection.outcome)
  );
}

/** Whether the entry is about that command, or counts a denial of it. */
const isOf = (entry: RunEntry, command: string): boolean =>
  entry.command === command || (foldedIn(entry)?.commands.some((each) => each.command === command) ?? false);

/** Splits a list that was typed with commas. */
export const piecesOf = (typed: string): string[] =>
  typed
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** The servers as typed. */
const typedServers = (entry: RunEntry): string[] =>
  [entry.options['server'], ...(foldedIn(entry)?.commands ?? []).map(({ server }) => server)].flatMap((typed) =>
    piecesOf(String(typed ?? '')),
  );

/** Whether this person reported how the job ended. */
const isReportedBy = (entry: RunEntry, person: string): boolean => isEnd(entry) && entry.by?.id === person;

/** Matches runs on a server, or all runs. A denial may name the server only as typed, by any name that it ever had. */
export function onServer(server: Selection['server']) {
  const names = new Set(server === undefined ? [] : [String(server.id), (server.name ?? '').toLowerCase()]);
  const isTyped = (entry: RunEntry): boolean => typedServers(entry).some((piece) => names.has(piece.toLowerCase()));
  return {
    learn(entry: Entry): void {
      if (isOfRun(entry) && entry.server?.id === server?.id && entry.server?.name !== undefined)
        names.add(entry.server.name.toLowerCase());
    },
    isOn: ({ entries }: Run): boolean =>
      server === undefined || entries.some((entry) => entry.server?.id === server.id),
    isNamed: ({ entries }: Run): boolean => entries.some((entry) => entry.server === undefined && isTyped(entry)),
  };
}

/** Matches runs of the incident: typed in its thread between its start and its end. */
function incidentOf(entries: Entries, id: string | undefined): (run: Run) => boolean {
  if (id === undefined) return () => true;
  const steps = stepsOf(eventsIn(entries), id);
  const opened = steps[0]?.seq ?? Number.POSITIVE_INFINITY;
  const ended = steps.find(({ step }) => step === 'ended')?.seq ?? Number.POSITIVE_INFINITY;
  return ({ first }) => first.place.channel === id && first.seq > opened && first.seq < ended;
}

const stepsOf = (events: readonly EventEntry[], id: string): Kind<'incident'>[] =>
  events.flatMap((entry) => (entry.kind === 'incident' && entry.incident === id ? [entry] : []));

/** The server that somebody held, or read in an incident's thread. */
export const serverIn = (entry: EventEntry): EntryServer | undefined =>
  'server' in entry ? entry.server : entry.kind === 'incident' ? entry.look?.server : undefined;

/** Of entries of no run, which have no command or outcome. To a server and to an incident belong their alerts. */
function eventsOf(entries: Entries, { server, command, outcome, person, incident }: Selection) {
  const events = eventsIn(entries);
  const alerts = server && aboutServer(server.id, events);
  const steps = incident === undefined ? [] : stepsOf(events, incident);
  const ended = steps.find(({ step }) => step === 'ended');
  const its = new Set(
    [...steps, ...steps.slice(0, 1).flatMap((opened) => alertsOf({ opened, ended }, events))].map(({ seq }) => seq),
  );
  return (entry: EventEntry): boolean =>
    command === undefined &&
    outcome === undefined &&
    (server === undefined || serverIn(entry)?.id === server.id || alerts?.has(entry.seq) === true) &&
    (incident === undefined || its.has(entry.seq)) &&
    (person === undefined || entry.actor.id === person);
}
