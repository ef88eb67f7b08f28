import type { Markup } from '../card.ts';
import type { Entry, RunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { inLine, mention } from './words.ts';

/** Writes people, servers and times, differently on a card and in a file. `detail`: markup made for cards. */
export interface Formatter {
  person(who: { id: string; name: string }): Markup;
  /** A server's name by id, if it has one, as that run knew it. */
  server(id: string, run: string): string | undefined;
  message(place: RunEntry['place'] & { message: string }): Markup;
  /** ISO time. */
  time(iso: string): Markup;
  detail(markup: string): Markup;
}

/** Names of servers by invocation and id, and by id alone, where the newest wins. */
type ServerNames = Map<string, string>;

const nameKey = (id: string, run: string): string => `${invocationOf(run)} ${id}`;

/** Records the entry's server name. */
export function nameServer(names: ServerNames, entry: Entry): void {
  if (!('run' in entry) || entry.server?.name === undefined) return;
  const { id, name } = entry.server;
  names.set(nameKey(String(id), entry.run), name).set(String(id), name);
}

/** The server's name at the time of the run: another may have it by now. `newest`: its latest in the whole ledger. */
export const namedIn =
  (names: ReadonlyMap<string, string>, newest?: (id: string) => string | undefined): Formatter['server'] =>
  (id, run) =>
    names.get(nameKey(id, run)) ?? newest?.(id) ?? names.get(id);

/**
 * What each kind of entry is called: in a line of the trail, among the details of an export or a card, and in a
 * timeline. A line of the trail is compared with posted ones years later: `title`, `more`, `wrote` and `rest` keep
 * what they said, byte for byte; what an older form of it said is in trail-line.ts.
 */
export interface Wording<E extends Entry> {
  /** What happened, in capitals. */
  title(entry: E): string;
  /** What the trail has right behind the title. */
  more?(entry: E): Markup | undefined;
  /** What people or the panel wrote about it, which the trail quotes. */
  wrote?(entry: E): readonly (string | undefined)[];
  /** The trail has the options and the reason that were typed. */
  isTyped?: true;
  /** The rest of a line of the trail, where the entry is of no run. */
  rest?(entry: E): Markup[];
  /** A sentence each. */
  details?(entry: E, format: Formatter): Markup[];
  /** In a timeline: how a run stands that got no further. */
  stands?(entry: E): string;
  /** How several such runs are told or counted together. */
  waits?: string;
  /** In a timeline: what it adds. `what`: the command and its server. */
  tells?(entry: E, what: string): string;
}

export const says = (words: string) => (): string => words;

/** An id for which the trail has a mention, however short the name is cut. */
export const person = (who: { id: string; name: string }): Markup => mention(who, inLine.text);
