import type { RawOptions, Server } from '../outcome.ts';
import { firstOf } from '../runs/alert-steps.ts';
import type { Records } from '../runs/book.ts';
import { between, bySeq, type Entries, view } from '../runs/entries.ts';
import { type Entry, isOfRun, type Kind, type RunEntry } from '../runs/entry.ts';
import type { AlertNews } from '../runs/entry-events.ts';
import { invocationOf } from '../runs/ids.ts';
import { inOrder, listed, numbers } from '../runs/numbers.ts';
import { walk } from '../walk.ts';
import { piecesOf, serverIn } from './select.ts';

/** The person who looks, by what they may see, and the ledger. */
export interface Viewer {
  records: Pick<Records, 'entries' | 'past'>;
  may(server: Server): boolean;
  find(typed: string): Server | undefined;
}

/** Which entries to read. A missing member restricts nothing. */
interface Narrowed {
  /** Entries that name this server, or none. */
  server?: Server | undefined;
  /** All entries of the runs that had an entry in this range; in ms. */
  since?: number | undefined;
  until?: number | undefined;
}

interface Visible {
  entries: Entries;
  /** Those of `entries`, by `seq`, from which other servers were removed. */
  cut: ReadonlySet<number>;
}

/** What this person may see: entries about servers they may touch, and entries about no server. */
export async function visible(context: Viewer, narrowed: Narrowed = {}): Promise<Visible> {
  const { records } = context;
  const { isShown, shown } = sight(context);
  const all = records.entries();
  const { past } = records;
  const { hasLater } = past;
  const [seqs, cut, events] = [numbers(), new Set<number>(), past.events().filter(isShown)];
  await walk(placesOf(context, narrowed), (entry) => {
    if (!isShown(entry)) return;
    if (shown(entry) !== entry) cut.add(entry.seq);
    seqs.push(entry.seq);
  });
  return { entries: view(all, seqs, { shown, events, hasLater }), cut };
}

/** Whether this person may see every entry of the ledger. */
export async function isAllVisible(context: Viewer): Promise<boolean> {
  const { records } = context;
  const { isShown } = sight(context);
  const { past } = records;
  const all = records.entries();
  let isAll = past.events().every(isShown);
  // Entries that name the same server are equally visible.
  await walk(past.servers(), (id) => {
    const entry = bySeq(all, past.ofServer(id).at(0));
    isAll &&= entry !== undefined && isShown(entry);
  });
  if (isAll)
    await walk(view(all, past.ofServer(undefined)), (entry) => {
      isAll &&= isShown(entry);
    });
  return isAll;
}

/** One run, or all of an invocation, as far as this person may see it. */
export function visibleRun(context: Viewer, id: string): RunEntry[] {
  const { isShown, shown } = sight(context);
  const { past } = context.records;
  const all = [...past.ofInvocation(id), ...past.ofInvocation(invocationOf(id))];
  return all
    .filter((entry) => (entry.run === id || entry.run.startsWith(`${id}.`)) && isShown(entry))
    .map(shown)
    .filter(isOfRun);
}

/** Those of `entries` from which nothing was removed. */
export async function uncut(entries: Entries, cut: ReadonlySet<number>): Promise<Entries> {
  const left = numbers();
  let index = 0;
  await walk(entries, ({ seq }) => {
    index += 1;
    if (!cut.has(seq)) left.push(index);
  });
  return view(entries, left);
}

/** The newest name of a server that this person may touch. */
export function newestName({ records, may }: Viewer, id: string): string | undefined {
  const seqs = records.past.ofServer(Number(id));
  for (let at = seqs.length - 1; at >= 0; at -= 1) {
    const entry = bySeq(records.entries(), seqs.at(at));
    const server = entry !== undefined && isOfRun(entry) ? entry.server : undefined;
    if (server === undefined || !may(server)) return undefined;
    if (server.name !== undefined) return server.name;
  }
  return undefined;
}

/** The entries to read, oldest first. */
function* placesOf(
  { records: { past, ...records } }: Viewer,
  { server, since, until }: Narrowed,
): Generator<Entry, void> {
  const all = records.entries();
  if (server !== undefined) {
    const events = past.events().map(({ seq }) => seq);
    yield* view(all, inOrder([past.ofServer(server.id), past.ofServer(undefined), listed(events)]));
    return;
  }
  const { length } = all;
  const [from, to] = all.span?.(since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY) ?? [0, length];
  // The earlier entries of runs that have one in the range.
  const earlier = numbers();
  for (let seq = from + 1; seq <= to && from > 0; seq += 1) {
    let before = past.before(seq);
    if (before > from) continue;
    for (; before > 0; before = past.before(before)) earlier.push(before);
  }
  yield* view(all, inOrder([earlier]));
  yield* between(all, from, to);
}

export function sight({ records, may, find }: Viewer) {
  const onServer = remembered(
    (server: Server) => may(server),
    ({ id }) => id,
  );
  /** Only people whose role covers all servers may type what names none: else it would reveal which names exist. */
  const mayNameIt = remembered(
    (typed: string) => onServer(find(typed) ?? nowhere),
    (typed) => typed,
  );
  const isRunShown = (entry: RunEntry): boolean => {
    if (entry.server !== undefined) return onServer(entry.server);
    if (entry.kind === 'denied' && entry.folded !== undefined)
      return entry.folded.commands.some((each) => named(each).every(mayNameIt));
    // For a denial, the servers may only be in the typed options.
    return named(entry.options).every(mayNameIt);
  };
  const isNewsShown = ({ servers = [] }: AlertNews): boolean => servers.every(onServer);
  /** A card is about the servers of the alert with which it began: its steps name none. */
  const isAlertShown = (entry: Kind<'alert'>): boolean => {
    if (entry.step === 'received') return entry.news.some(isNewsShown);
    const first = firstOf(entry.card, (seq) => bySeq(records.entries(), seq));
    return first !== undefined && isNewsShown(first);
  };
  return {
    isShown: (entry: Entry): boolean =>
      isOfRun(entry)
        ? isRunShown(entry)
        : entry.kind === 'alert'
          ? isAlertShown(entry)
          : [serverIn(entry) ?? []].flat().every(onServer),
    shown: (entry: Entry): Entry =>
      isOfRun(entry)
        ? without(entry, mayNameIt)
        : entry.kind === 'alert' && entry.step === 'received' && !entry.news.every(isNewsShown)
          ? { ...entry, news: entry.news.filter(isNewsShown) }
          : entry,
  };
}

/** No server has this id. */
const nowhere: Server = { id: 0 };

const named = ({ server }: { server?: RawOptions[string] }): string[] =>
  server === undefined ? [] : piecesOf(String(server));

/** Removes the servers that this person may not see. Returns the entry itself if there are none. */
function without(entry: RunEntry, isTheirs: (typed: string) => boolean): RunEntry {
  if (entry.kind === 'denied' && entry.folded !== undefined) {
    const { commands } = entry.folded;
    const shown = commands.filter((each) => named(each).every(isTheirs));
    return shown.length === commands.length ? entry : { ...entry, folded: { ...entry.folded, commands: shown } };
  }
  const undo = 'undo' in entry ? entry.undo : undefined;
  const rest = 'rest' in entry ? named({ server: entry.rest }) : [];
  if ([...named(entry.options), ...named(undo?.options ?? {}), ...rest].every(isTheirs)) return entry;
  const visibleOptions = (all: RawOptions): RawOptions =>
    all['server'] === undefined ? all : { ...all, server: named(all).filter(isTheirs).join(',') };
  const options = visibleOptions(entry.options);
  switch (entry.kind) {
    case 'asked': {
      const { says: _, rest: _left, ...kept } = entry;
      const shown = rest.filter(isTheirs).join(',');
      return { ...kept, options, ...(shown === '' ? {} : { rest: shown }) };
    }
    case 'intent': {
      // The card's text may name all servers.
      const { says: _, ...rest } = entry;
      return { ...rest, options };
    }
    case 'outcome':
    case 'denied':
    case 'resolved':
      return {
        ...entry,
        options,
        ...(undo === undefined ? {} : { undo: { ...undo, options: visibleOptions(undo.options) } }),
      };
    default:
      return { ...entry, options };
  }
}

/** Caches by key. */
function remembered<T>(ask: (of: T) => boolean, key: (of: T) => string | number): (of: T) => boolean {
  const known = new Map<string | number, boolean>();
  return (of) => {
    const answer = known.get(key(of)) ?? ask(of);
    known.set(key(of), answer);
    return answer;
  };
}
