import { defined } from '../defined.ts';
import type { End, Outcome } from '../outcome.ts';
import {
  type Entry,
  type EventEntry,
  foldedIn,
  isOfRun,
  type Kind,
  type RunEntry,
  type Step,
  timesOf,
} from '../runs/entry.ts';
import { walk } from './walk.ts';

export { isOfRun };

/** Which entries to select; a missing member restricts nothing. Times in ms, `since` inclusive, `until` exclusive. */
export interface Selection {
  since?: number | undefined;
  until?: number | undefined;
  /** `name`: an additional name that people may have typed, besides those in the entries. */
  server?: { id: number; name?: string | undefined } | undefined;
  /** The id of its thread. */
  incident?: string | undefined;
  /** Who took any of its steps. */
  person?: string | undefined;
  command?: string | undefined;
  /** How the run or its follow-up ended. */
  outcome?: Outcome | End | undefined;
}

/** The entries of one run, oldest first. */
export interface Run {
  run: string;
  entries: readonly RunEntry[];
  first: RunEntry;
  outcome?: Kind<'outcome' | 'denied'>;
  /** The outcome, or else the furthest step. */
  stands: RunEntry;
  /** The last of `stands`, `end` and `resolved`. */
  newest: RunEntry;
  /** How the follow-up ended. */
  end?: Step<'ended'>;
  resolved?: Kind<'resolved'>;
}

/** The steps of a run before its outcome. */
const stages: readonly RunEntry['kind'][] = ['asked', 'confirmed', 'intent'];

const isEnd = (entry: RunEntry): entry is Step<'ended'> => entry.kind === 'follow-up' && entry.step === 'ended';

/** The entries of each run, in the order the runs began. */
type Grouped = Map<string, [RunEntry, ...RunEntry[]]>;

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
  const stands = outcome ?? all.findLast(({ kind }) => stages.includes(kind)) ?? first;
  return {
    run: first.run,
    entries: all,
    first,
    stands,
    newest: all.findLast((entry) => entry === stands || entry === end || entry === resolved) ?? stands,
    ...defined({ outcome, end, resolved }),
  };
}

/** The runs in these entries, in the order they began. Synchronous, so only for part of the ledger. */
export function runsOf(entries: readonly Entry[]): Run[] {
  const byRun: Grouped = new Map();
  for (const entry of entries) group(byRun, entry);
  return [...byRun.values()].map(runOf);
}

/** Calls `take` for each selected run, in the order they began, regardless of time. */
export async function eachRun(
  entries: readonly Entry[],
  selection: Omit<Selection, 'since' | 'until'>,
  take: (run: Run) => void,
): Promise<void> {
  const inIncident = await incidentOf(entries, selection.incident);
  const isOn = await serverOf(entries, selection.server);
  const byRun: Grouped = new Map();
  await walk(entries, (entry) => group(byRun, entry));
  await walk(byRun.values(), (all) => {
    const run = runOf(all);
    if (fits(run, selection) && isOn(run) && inIncident(run)) take(run);
  });
}

/** How often each outcome occurred, in order of first occurrence. */
export function outcomesOf(runs: readonly Run[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of runs)
    if (outcome !== undefined) counts.set(outcome.outcome, (counts.get(outcome.outcome) ?? 0) + timesOf(outcome));
  return counts;
}

/** How many outcomes there are, counting folded denials. */
export const countOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, { outcome }) => sum + (outcome === undefined ? 1 : timesOf(outcome)), 0);

/** The selected entries, in order. Of a matching run, all entries within the time range. */
export async function select(entries: readonly Entry[], selection: Selection): Promise<Entry[]> {
  const meant = new Set<string>();
  await eachRun(entries, selection, ({ run }) => void meant.add(run));
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = selection;
  const selected: Entry[] = [];
  await walk(entries, (entry) => {
    const at = Date.parse(entry.time);
    if (at < since || at >= until) return;
    if (isOfRun(entry) ? meant.has(entry.run) : isMeant(entry, selection)) selected.push(entry);
  });
  return selected;
}

function fits({ entries, outcome, end }: Run, selection: Selection): boolean {
  const { person, command } = selection;
  return (
    (person === undefined || entries.some((entry) => entry.actor.id === person || isSaidBy(entry, person))) &&
    (command === undefined || entries.some((entry) => isOf(entry, command))) &&
    (selection.outcome === undefined || outcome?.outcome === selection.outcome || end?.end === selection.outcome)
  );
}

/** Whether it is of that command, or counts a denial of it. */
const isOf = (entry: RunEntry, command: string): boolean =>
  entry.command === command || (foldedIn(entry)?.commands.some((each) => each.command === command) ?? false);

/** The servers as typed. */
const typedServers = (entry: RunEntry): string[] =>
  [entry.options['server'], ...(foldedIn(entry)?.commands ?? []).map(({ server }) => server)]
    .flatMap((typed) => String(typed ?? '').split(','))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** Whether this person reported how the job ended. */
const isSaidBy = (entry: RunEntry, person: string): boolean => isEnd(entry) && entry.by?.id === person;

/** Matches runs of the server. A denial may name it only as typed, by any of its names. */
async function serverOf(entries: readonly Entry[], server: Selection['server']): Promise<(run: Run) => boolean> {
  if (server === undefined) return () => true;
  const { id, name = '' } = server;
  const names = new Set([String(id), name.toLowerCase()]);
  await walk(entries, (entry) => {
    if (isOfRun(entry) && entry.server?.id === id && entry.server.name !== undefined)
      names.add(entry.server.name.toLowerCase());
  });
  const isNamed = (entry: RunEntry): boolean => typedServers(entry).some((piece) => names.has(piece.toLowerCase()));
  return ({ entries: own }) =>
    own.some((entry) => (entry.server === undefined ? isNamed(entry) : entry.server.id === id));
}

/** Matches runs of the incident: typed in its thread between its start and its end. */
async function incidentOf(entries: readonly Entry[], id: string | undefined): Promise<(run: Run) => boolean> {
  if (id === undefined) return () => true;
  const steps: Kind<'incident'>[] = [];
  await walk(entries, (entry) => {
    if (entry.kind === 'incident' && entry.incident === id) steps.push(entry);
  });
  const opened = steps[0]?.seq ?? Number.POSITIVE_INFINITY;
  const ended = steps.find(({ step }) => step === 'ended')?.seq ?? Number.POSITIVE_INFINITY;
  return ({ first }) => first.place.channel === id && first.seq > opened && first.seq < ended;
}

/** Other entries have no server, command or outcome. */
function isMeant(entry: EventEntry, { server, command, outcome, person, incident }: Selection): boolean {
  if (server !== undefined || command !== undefined || outcome !== undefined) return false;
  if (incident !== undefined && !(entry.kind === 'incident' && entry.incident === incident)) return false;
  return person === undefined || entry.actor.id === person;
}
