import { stringify } from 'csv-stringify/sync';
import { isRecord } from '../json.ts';
import type { Entry } from '../runs/entry.ts';

/** The columns, and the path of the member each one shows. Everything else goes to `rest`. */
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

/** Spreadsheets evaluate text that starts like this, and some strip white space and invisible characters first. */
const formula = /^[\s\p{Cc}\p{Cf}\p{Zs}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** If semicolons or tabs separate the cells, quotes hold none together: each of these may start one. */
const innerFormula = /(?<=[;\t\r\n][\s\p{Cc}\p{Cf}\p{Zs}"]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** How many rows to write at once: a call of the library costs as much as several rows do. */
const rowsPerWrite = 20;

/**
 * A header and one row per entry, several rows at a time; UTF-8, CRLF. Lists and mappings are JSON. An apostrophe
 * precedes what a spreadsheet would read as a formula. Members keep their order.
 */
export function* csv(entries: Iterable<Entry>): Generator<string, void> {
  let rows: (readonly string[])[] = [header];
  for (const entry of entries) {
    rows.push(row(entry));
    if (rows.length < rowsPerWrite) continue;
    yield written(rows);
    rows = [];
  }
  if (rows.length > 0) yield written(rows);
}

const written = (rows: (readonly string[])[]): string =>
  stringify(rows, {
    record_delimiter: '\r\n',
    escape_formulas: true,
    // By default the library quotes only CRLF together.
    quoted_match: /[\r\n]/,
  });

/** The same of any cells. */
export const cells = (rows: readonly (readonly string[])[]): string => written(rows.map((each) => each.map(defused)));

function row(entry: Entry): string[] {
  const left: Record<string, unknown> = structuredClone({ ...entry });
  const cells = Object.values(columns).map((path) => textOf(take(left, path.split('.'))));
  return [...cells, Object.keys(left).length === 0 ? '' : textOf(left)].map(defused);
}

/** Removes a member, and its parents if they are empty then. */
function take(from: Record<string, unknown>, [name = '', ...inner]: readonly string[]): unknown {
  const value = from[name];
  if (inner.length === 0) {
    delete from[name];
    return value;
  }
  if (!isRecord(value)) return undefined;
  const found = take(value, inner);
  if (Object.keys(value).length === 0) delete from[name];
  return found;
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The library checks only the first character. */
function defused(text: string): string {
  const inner = text.replaceAll(innerFormula, "'");
  return formula.test(text) || /^[\t\r]/.test(text) ? `'${inner}` : inner;
}
