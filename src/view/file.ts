import { createHash } from 'node:crypto';
import { type CardFile, count, list, md, quote, trusted } from '../card.ts';
import { toLine } from '../ledger/chain.ts';
import type { Entries } from '../runs/entries.ts';
import type { Entry, Kind, RunEntry } from '../runs/entry.ts';
import { ruleLines } from '../runs/kept.ts';
import { walk } from '../walk.ts';
import { csv } from './csv.ts';
import { detailsOf, titleOf, what, withRoles } from './details.ts';
import type { Format } from './formats.ts';
import { type Formatter, namedIn, nameServer } from './formatter.ts';
import { runsText } from './select.ts';
import { asCode, nameAsCode, utcTime, withUtcTimes } from './words.ts';

const kinds: Record<Format, { type: string; write(entries: Entries, roleName: RoleName): Iterable<string> }> = {
  jsonl: { type: 'application/jsonl', write: jsonl },
  csv: { type: 'text/csv', write: (entries) => csv(inOrder(entries)) },
  md: { type: 'text/markdown', write: markdown },
};

export interface RecordFile extends CardFile {
  sha256: string;
  count: number;
  first: Entry;
  last: Entry;
}

/**
 * Entries as a file; undefined if there are none. The same entries give the same name and bytes wherever they were
 * read from; Markdown also depends on the role names. Stops early once the file exceeds `most` bytes.
 */
export async function fileOf(entries: Entries, format: Format, roleName?: RoleName): Promise<RecordFile | undefined>;
export async function fileOf(
  entries: Entries,
  format: Format,
  roleName: RoleName,
  most: number,
): Promise<RecordFile | 'too-large' | undefined>;
export async function fileOf(
  entries: Entries,
  format: Format,
  roleName: RoleName = () => undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<RecordFile | 'too-large' | undefined> {
  const first = entries.at(0);
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { type, write } = kinds[format];
  const pieces: Uint8Array[] = [];
  const hash = createHash('sha256');
  let size = 0;
  function* bounded() {
    for (const text of write(entries, roleName)) {
      const piece = Buffer.from(text);
      size += piece.byteLength;
      if (size > most) return;
      yield piece;
    }
  }
  await walk(bounded(), (piece) => {
    hash.update(piece);
    pieces.push(piece);
  });
  if (size > most) return 'too-large';
  return {
    name: `panelops-${last.time.slice(0, 10)}-${first.seq}-${last.seq}.${format}`,
    type,
    // A plain byte array: a Buffer has its own form in JSON.
    bytes: new Uint8Array(Buffer.concat(pieces)),
    sha256: hash.digest('hex'),
    count: entries.length,
    first,
    last,
  };
}

/** Sorts members as in the ledger's line: an entry just recorded still has the order in which it was built. */
function* inOrder(entries: Iterable<Entry>): Generator<Entry, void> {
  for (const entry of entries) yield JSON.parse(toLine(entry));
}

/** The ledger's lines, unchanged: each verifies by itself, and a full export verifies as a chain. */
export function* jsonl(entries: Iterable<Entry>): Generator<string, void> {
  for (const entry of entries) yield `${toLine(entry)}\n`;
}

type RoleName = (id: string) => string | undefined;

const at = (iso: string): string => utcTime(Date.parse(iso));

/** Writes out names and times, because a file cannot resolve ids and timestamps as Discord does. */
const plainly = (names: ReadonlyMap<string, string>): Formatter => ({
  person: (who) => trusted(nameAsCode(who)),
  server: namedIn(names),
  message: ({ message }) => md`Message ${message}`,
  time: (iso) => trusted(at(iso)),
  detail: (markup) => trusted(withUtcTimes(markup).replaceAll(/\s+/g, ' ')),
});

/** Entries as a readable list: a summary, then a line each, in pieces. The same input gives the same text. */
export function* markdown(entries: Entries, roleName: RoleName): Generator<string, void> {
  const about = summary();
  for (const entry of entries) {
    about.take(entry);
    yield '';
  }
  const before = new Map<string, RunEntry>();
  const formatter = plainly(about.servers);
  yield `${head(entries, about, roleName).join('\n')}\n`;
  for (const entry of entries) {
    yield `${line(entry, formatter, roleName, 'run' in entry ? before.get(entry.run) : undefined)}\n`;
    if ('run' in entry) before.set(entry.run, entry);
  }
}

type Ended = Kind<'outcome' | 'denied'>;

/** Collects what the summary says about all entries. */
function summary() {
  const [names, roles] = [new Set<string>(), new Set<string>()];
  const servers = new Map<string, string>();
  /** The first outcome of each run. */
  const runs = new Map<string, Ended | undefined>();
  return {
    names,
    roles,
    servers,
    runs,
    take(entry: Entry): void {
      names.add(entry.actor.name);
      if (!('run' in entry)) return;
      for (const role of entry.actor.roles) roles.add(role);
      nameServer(servers, entry);
      const end = entry.kind === 'outcome' || entry.kind === 'denied' ? entry : undefined;
      if (runs.get(entry.run) === undefined) runs.set(entry.run, end);
    },
  };
}

function head(entries: Entries, { names, roles, runs }: ReturnType<typeof summary>, roleName: RoleName): string[] {
  const first = entries.at(0);
  const last = entries.at(-1);
  return [
    '# Record of panelops',
    '',
    ...(first === undefined || last === undefined
      ? []
      : [
          `- Span: ${at(first.time)} to ${at(last.time)}`,
          `- Entries: ${entries.length}, from no. ${first.seq} (${asCode(first.hash)}) to no. ${last.seq} (${asCode(last.hash)})`,
        ]),
    `- Who: ${list([...names].map((name) => quote(name))).markup}`,
    ...rolesOf(roles, roleName),
    `- Runs: ${countsOf([...runs.values()].map((outcome) => ({ outcome })))}`,
    '',
    '## Entries',
    '',
  ];
}

/** Maps role names to ids, because names may change. */
function rolesOf(ids: ReadonlySet<string>, roleName: RoleName): string[] {
  const named = [...ids].flatMap((id) => {
    const name = roleName(id);
    return name === undefined ? [] : [md`${name} is ${id}`];
  });
  return named.length === 0 ? [] : [`- Roles, by their names in the policy: ${list(named).markup}`];
}

/** "3 (2 succeeded, 1 denied)" */
function countsOf(ends: readonly { outcome?: Ended }[]): string {
  const open = ends.filter(({ outcome }) => outcome === undefined).length;
  return runsText(ends, open === 0 ? [] : [`${count(open, 'run')} without an outcome here`]);
}

/** "- **2026-11-20 08:15:30 UTC** no. 12 **SENDING** `/power boot` web-1 (101) · `bob` with `on-call` · run `9kq….1`: Options: …" */
function line(entry: Entry, formatter: Formatter, roleName: RoleName, before: RunEntry | undefined): string {
  const run = 'run' in entry ? md` · run ${entry.run}` : trusted('');
  const roles = 'run' in entry ? withRoles(entry.actor, (id) => quote(roleName(id) ?? id)) : trusted('');
  const who = md`${trusted(nameAsCode(entry.actor))}${roles}`;
  const head = md`**${trusted(at(entry.time))}** no. ${entry.seq} **${trusted(titleOf(entry))}**${what(entry)} · ${who}${run}`;
  const details = detailsOf(entry, formatter, before).map(({ markup }) => markup);
  return [`- ${head.markup}`, ...details.map((sentence) => `  - ${sentence}`), ...removed(entry)].join('\n');
}

/** The rules that a change removed. Only this format has room for each. */
const removed = (entry: Entry): string[] =>
  entry.kind === 'intent' && entry.kept?.rules !== undefined
    ? ruleLines(entry.kept.rules).map((rule) => `    - ${quote(rule, rule.length).markup}`)
    : [];
