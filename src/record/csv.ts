import { stringify } from 'csv-stringify/sync';
import type { Entry } from '../runs/entry.ts';

/** The columns, with the members of an entry that they show, by path. What has no column is in `rest`. */
const columns = {
  seq: 'seq',
  time: 'time',
  kind: 'kind',
  run: 'run',
  command: 'command',
  server_id: 'server.id',
  server: 'server.name',
  tier: 'server.tier',
  actor_id: 'actor.id',
  actor: 'actor.name',
  roles: 'actor.roles',
  outcome: 'outcome',
  reason: 'reason',
  said: 'said',
  detail: 'detail',
  options: 'options',
  facts: 'facts',
  step: 'step',
  end: 'end',
  by: 'by.name',
  happened: 'happened',
  why: 'why',
  incident: 'incident',
  title: 'title',
  finding: 'finding',
  guild: 'place.guild',
  channel: 'place.channel',
  message: 'place.message',
  prev: 'prev',
  hash: 'hash',
} as const;

export const header: readonly string[] = [...Object.keys(columns), 'rest'];

/** Spreadsheets run what begins so, and some cut off white space and what cannot be seen before they look. */
const formula = /^[\s\p{Cc}\p{Cf}\p{Zs}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** Where semicolons or tabs part the cells, quotes within a row hold nothing together: each of these may begin a cell. */
const innerFormula = /(?<=[;\t\r\n][\s\p{Cc}\p{Cf}\p{Zs}"]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** So many rows are written at once: each call of the library costs as much as some rows. */
const together = 20;

/**
 * One row an entry, under `header`, some rows at a time; UTF-8, rows end with CRLF. Lists and mappings are JSON. What a spreadsheet
 * would take for a formula has an apostrophe before it. The entries' members are taken in the order in which they are.
 */
export function* csv(entries: Iterable<Entry>): Generator<string, void> {
  let rows: (readonly string[])[] = [header];
  for (const entry of entries) {
    rows.push(row(entry));
    if (rows.length < together) continue;
    yield written(rows);
    rows = [];
  }
  if (rows.length > 0) yield written(rows);
}

const written = (rows: (readonly string[])[]): string =>
  stringify(rows, {
    record_delimiter: '\r\n',
    escape_formulas: true,
    // By itself the library quotes only the two together.
    quoted_match: /[\r\n]/,
  });

function row(entry: Entry): string[] {
  const left: Record<string, unknown> = structuredClone({ ...entry });
  const cells = Object.values(columns).map((path) => textOf(take(left, path.split('.'))));
  return [...cells, Object.keys(left).length === 0 ? '' : textOf(left)].map(defused);
}

/** Takes a member out, and what is empty then. */
function take(from: Record<string, unknown>, [name = '', ...inner]: readonly string[]): unknown {
  const value = from[name];
  if (inner.length === 0) {
    delete from[name];
    return value;
  }
  if (!isMapping(value)) return undefined;
  const found = take(value, inner);
  if (Object.keys(value).length === 0) delete from[name];
  return found;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The library looks at the first character alone. */
function defused(text: string): string {
  const inner = text.replaceAll(innerFormula, "'");
  return formula.test(text) || /^[\t\r]/.test(text) ? `'${inner}` : inner;
}
