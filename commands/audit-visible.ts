import type { LocalContext } from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import { isOfRun } from '../src/record/select.ts';
import { walk } from '../src/record/walk.ts';
import type { Entry, RunEntry } from '../src/runs/entry.ts';
import { pieces } from './options.ts';

interface Visible {
  entries: Entry[];
  /** Those of `entries` from which other servers were removed. */
  cut: ReadonlySet<Entry>;
  /** Whether no entry is hidden. */
  isAll: boolean;
}

/** What this person may see: entries about servers they may touch, and entries about no server. */
export async function visible({ records, may, find }: LocalContext): Promise<Visible> {
  await records.refresh();
  const onServer = remembered(
    (server: Server) => may(server),
    ({ id }) => id,
  );
  /**
   * Looks up the typed text. Text that names no server is only for people whose role covers all servers: otherwise it
   * would reveal which names exist.
   */
  const isTheirs = remembered(
    (typed: string) => onServer(find(typed) ?? nowhere),
    (typed) => typed,
  );
  const isShown = (entry: RunEntry): boolean => {
    if (entry.server !== undefined) return onServer(entry.server);
    if (entry.kind === 'denied' && entry.folded !== undefined)
      return entry.folded.commands.some((each) => named(each).every(isTheirs));
    // For a denial, the servers may only be in the typed options.
    return named(entry.options).every(isTheirs);
  };
  const cut = new Set<Entry>();
  const entries: Entry[] = [];
  // The list grows during the loop.
  const all = [...records.entries()];
  await walk(all, (entry) => {
    if (isOfRun(entry) && !isShown(entry)) return;
    const shown = isOfRun(entry) ? without(entry, isTheirs) : entry;
    if (shown !== entry) cut.add(shown);
    entries.push(shown);
  });
  return { entries, cut, isAll: entries.length === all.length };
}

/** No server has this id. */
const nowhere: Server = { id: 0 };

const named = ({ server }: { server?: RawOptions[string] }): string[] =>
  server === undefined ? [] : pieces(String(server));

/**
 * One command may concern servers of several people: removes those that this person may not see. Returns the entry
 * itself if there are none.
 */
function without(entry: RunEntry, isTheirs: (typed: string) => boolean): RunEntry {
  if (entry.kind === 'denied' && entry.folded !== undefined) {
    const { commands } = entry.folded;
    const shown = commands.filter((each) => named(each).every(isTheirs));
    return shown.length === commands.length ? entry : { ...entry, folded: { ...entry.folded, commands: shown } };
  }
  const undo = 'undo' in entry ? entry.undo : undefined;
  if ([...named(entry.options), ...named(undo?.options ?? {})].every(isTheirs)) return entry;
  const theirs = (all: RawOptions): RawOptions =>
    all['server'] === undefined ? all : { ...all, server: named(all).filter(isTheirs).join(',') };
  const options = theirs(entry.options);
  switch (entry.kind) {
    case 'asked':
    case 'intent': {
      // The card's text may name all servers.
      const { says: _, ...rest } = entry;
      return { ...rest, options };
    }
    case 'outcome':
    case 'denied':
    case 'resolved':
      return { ...entry, options, ...(undo === undefined ? {} : { undo: { ...undo, options: theirs(undo.options) } }) };
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
