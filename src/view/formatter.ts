import type { Markup } from '../card.ts';
import type { Entry, RunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';

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
