import { readFile } from 'node:fs/promises';
import { typedServers } from '../card.ts';
import { writeWhole } from '../ledger/journal.ts';
import { type Entries, eventsIn, lastOf } from '../runs/entries.ts';
import type { Entry, RunEntry } from '../runs/entry.ts';
import { withoutUnseen } from '../text.ts';
import { momentOf, type Reading } from '../time.ts';
import { fileOf, type RecordFile } from '../view/file.ts';
import type { Format } from '../view/formats.ts';
import { isOfRun, type Selection, select } from '../view/select.ts';
import { isInside } from './place.ts';

export interface ExportOptions {
  format: Format;
  since?: string;
  until?: string;
  server?: string;
  incident?: string;
  out?: string;
}

interface ExportRequest {
  format: Format;
  selection: Selection;
  out?: string;
}

const invalidArguments = 78;

interface ExportParts {
  say(line: string): void;
  /** In ms. */
  now?: number;
  /** The folder of the ledger: nothing is written there. */
  dataDir?: string;
  roleName?(id: string): string | undefined;
  /** The time zone of the times in `options`. */
  zone?: string;
}

/**
 * Writes entries to `out` or into a new file, byte for byte as `/audit export` does. `say` gets messages for people.
 * Returns the exit code: 0; 1 if nothing matches or the file cannot be written; 78 for invalid arguments.
 */
export async function exportLedger(
  options: ExportOptions,
  entries: Entries,
  out: (text: string | Uint8Array) => void,
  { say, now = Date.now(), dataDir, roleName, zone = 'UTC' }: ExportParts,
): Promise<number> {
  const order = read(options, entries, { now, zone });
  if ('problem' in order) {
    say(order.problem);
    return invalidArguments;
  }
  if (order.out !== undefined && dataDir !== undefined && (await isInside(dataDir, order.out))) {
    say(`${order.out} is in DATA_DIR, the folder of the ledger itself: name a file elsewhere. Nothing was written.`);
    return 1;
  }
  const file = await fileOf(await select(entries, order.selection), order.format, roleName);
  if (file === undefined) {
    say('No entry matches, so nothing was written.');
    return 1;
  }
  if (order.out === undefined) out(file.bytes);
  else if (!(await isWritten(order.out, file, say))) return 1;
  say(summary(file, order.out));
  return 0;
}

/** Writes the whole file or nothing. Never overwrites a file. */
async function isWritten(path: string, { bytes }: RecordFile, say: (line: string) => void): Promise<boolean> {
  try {
    await writeWhole(path, bytes, async (draft) => {
      if (!(await readFile(draft)).equals(bytes)) throw new Error('what was written is not what was meant');
    });
    return true;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error);
    say(reason === 'EEXIST' ? `${path} already exists: name another file.` : `${path} cannot be written (${reason}).`);
    return false;
  }
}

const summary = ({ count, first, last, sha256, name }: RecordFile, path: string | undefined): string =>
  `${path ?? name}: ${count} ${count === 1 ? 'entry' : 'entries'}, from no. ${first.seq} (${first.time}) to no. ${last.seq} (${last.time}), SHA-256 ${sha256}`;

function read(
  options: ExportOptions,
  entries: Entries,
  reading: Pick<Reading, 'now' | 'zone'>,
): ExportRequest | { problem: string } {
  const { format, since, until, server, incident, out } = options;
  const span = spanOf(since, until, reading);
  if ('problem' in span) return span;
  const id = server === undefined ? undefined : serverIn(entries, server);
  if (server !== undefined && id === undefined) return { problem: `--server ${server}: the ledger has no such server` };
  if (
    incident !== undefined &&
    !eventsIn(entries).some((entry) => entry.kind === 'incident' && entry.incident === incident)
  )
    return { problem: `--incident ${incident}: the ledger has no such incident. It is the id of its thread.` };
  return {
    format,
    selection: { ...span, incident, ...(id === undefined ? {} : { server: { id } }) },
    out,
  };
}

function spanOf(
  since: string | undefined,
  until: string | undefined,
  reading: Pick<Reading, 'now' | 'zone'>,
): Pick<Selection, 'since' | 'until'> | { problem: string } {
  const read = (text: string | undefined, end: boolean) =>
    text === undefined ? undefined : momentOf(withoutUnseen(text), { ...reading, toward: 'past', end });
  const [from, to] = [read(since, false), read(until, true)];
  if (typeof from === 'object') return { problem: `--since ${since}: ${from.rule}` };
  if (typeof to === 'object') return { problem: `--until ${until}: ${to.rule}` };
  if (from !== undefined && to !== undefined && to <= from) return { problem: '--until: it is not after --since' };
  return { since: from, until: to };
}

/** The id of a server, given by id, by its latest name, or as a card writes both. */
function serverIn(entries: Entries, text: string): number | undefined {
  const wanted = typedServers(text).trim().toLowerCase();
  const isIts = (entry: Entry): entry is RunEntry => {
    const { id, name } = (isOfRun(entry) && entry.server) || {};
    return id !== undefined && [String(id), name, `${name} (${id})`].some((each) => each?.toLowerCase() === wanted);
  };
  return lastOf(entries, isIts)?.server?.id;
}
