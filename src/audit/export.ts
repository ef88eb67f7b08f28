import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { defined } from '../defined.ts';
import { type Format, fileOf, formats, type RecordFile } from '../record/file.ts';
import { momentForm, readMoment } from '../record/moment.ts';
import { isOfRun, type Selection, select } from '../record/select.ts';
import type { Entry } from '../runs/entry.ts';

export const exportUsage = `npm run audit -- export [--format jsonl|csv|md] [--since TIME] [--until TIME] [--server NAME|ID] [--incident ID] [--out FILE]
TIME is ${momentForm}.`;

interface Order {
  format: Format;
  selection: Selection;
  out?: string;
}

const wrong = 78;

interface ExportParts {
  say?(line: string): void;
  /** In ms. */
  now?: number;
  /** The policy's name for a role, by the role's id. */
  roleName?(id: string): string | undefined;
}

const aside = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Writes entries to `out` or into a new file, byte for byte as `/audit export` does. `say` gets messages for people.
 * Returns the exit code: 0; 1 if nothing matches or the file cannot be written; 78 for invalid arguments.
 */
export async function exportLedger(
  args: readonly string[],
  entries: readonly Entry[],
  out: (text: string | Uint8Array) => void,
  { say = aside, now = Date.now(), roleName }: ExportParts = {},
): Promise<number> {
  const order = read(args, entries, now);
  if ('problem' in order) {
    say(`${order.problem}\n${exportUsage}`);
    return wrong;
  }
  const file = await fileOf(await select(entries, order.selection), order.format, roleName);
  if (file === undefined) {
    say('Nothing is recorded like that, so nothing was written.');
    return 1;
  }
  if (order.out === undefined) out(file.bytes);
  else if (!(await isWritten(order.out, file, say))) return 1;
  say(summary(file, order.out));
  return 0;
}

/** Never overwrites a file. */
async function isWritten(path: string, { bytes }: RecordFile, say: (line: string) => void): Promise<boolean> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    say(isThere ? `${path} is there already: name another file.` : `${path} cannot be written: ${String(error)}`);
    return false;
  }
}

const summary = ({ count, first, last, sha256, name }: RecordFile, path: string | undefined): string =>
  `${path ?? name}: ${count} ${count === 1 ? 'entry' : 'entries'}, from no. ${first.seq} (${first.time}) to no. ${last.seq} (${last.time}), SHA-256 ${sha256}`;

const options = {
  format: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  server: { type: 'string' },
  incident: { type: 'string' },
  out: { type: 'string' },
} as const;

function read(args: readonly string[], entries: readonly Entry[], now: number): Order | { problem: string } {
  const given = parsed(args);
  if ('problem' in given) return given;
  const { format = 'jsonl', since, until, server, incident, out } = given.values;
  const as = formats.find((each) => each === format);
  if (as === undefined) return { problem: `--format ${format}: it is ${formats.join(', ')}` };
  const span = spanOf(since, until, now);
  if ('problem' in span) return span;
  const id = server === undefined ? undefined : serverIn(entries, server);
  if (server !== undefined && id === undefined) return { problem: `--server ${server}: the ledger has no such server` };
  if (incident !== undefined && !entries.some((entry) => entry.kind === 'incident' && entry.incident === incident))
    return { problem: `--incident ${incident}: the ledger has no such incident. It is the id of its thread.` };
  return {
    format: as,
    selection: { ...span, incident, ...(id === undefined ? {} : { server: { id } }) },
    ...defined({ out }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function spanOf(
  since: string | undefined,
  until: string | undefined,
  now: number,
): Pick<Selection, 'since' | 'until'> | { problem: string } {
  const from = since === undefined ? undefined : readMoment(since, now);
  const to = until === undefined ? undefined : readMoment(until, now, 'end');
  if (since !== undefined && from === undefined) return { problem: `--since ${since}: it is ${momentForm}` };
  if (until !== undefined && to === undefined) return { problem: `--until ${until}: it is ${momentForm}` };
  if (from !== undefined && to !== undefined && to <= from) return { problem: '--until: it is not after --since' };
  return { since: from, until: to };
}

/** By id, or by its latest name. */
function serverIn(entries: readonly Entry[], text: string): number | undefined {
  const wanted = text.trim().toLowerCase();
  const server = entries
    .filter(isOfRun)
    .findLast((each) => String(each.server?.id) === wanted || each.server?.name?.toLowerCase() === wanted)?.server;
  return server?.id;
}
