import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { readText } from '../config/file.ts';
import { nearestIs } from '../nearest.ts';
import { addressIn } from '../policy/inventory.ts';
import { nameRule, server, type WrittenServer } from '../policy/server.ts';
import type { Problem } from '../policy/shape.ts';

const columns = ['id', 'name', 'tier', 'group', 'ips'] as const;
const isColumn = (text: string): text is (typeof columns)[number] => columns.some((each) => each === text);

/** What csv-parse gives for a row, where `info` is set. */
const parsed = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/** The servers of a CSV file, or each line of it that is wrong. Values are never repeated: it may be the wrong file. */
export function readServers(path: string): { servers: WrittenServer[] } | { problems: Problem[] } {
  const file = readText(path);
  if ('rule' in file) return { problems: [{ place: basename(path), rule: file.rule }] };
  if (!'\r\n'.includes(file.value.at(-1) ?? '\n')) return { problems: [{ place: basename(path), rule: unended }] };
  const { servers, problems } = serversIn(file.value);
  return problems.length === 0
    ? { servers }
    : { problems: problems.map(({ line, rule }) => ({ place: `${basename(path)} (line ${line})`, rule })) };
}

const unended = 'The last line does not end, as in a file that is still being written. End it with a line break.';

interface LineProblem {
  line: number;
  rule: string;
}

function serversIn(text: string): { servers: WrittenServer[]; problems: LineProblem[] } {
  const problems: LineProblem[] = [];
  const rows = parsed.parse(
    parse(text, {
      ...{ info: true, trim: true, skip_empty_lines: true, relax_column_count: true, skip_records_with_error: true },
      on_skip(error) {
        problems.push({
          line: Number(error?.['lines'] ?? 1),
          rule: 'Not valid CSV. Look at quotes: "" inside of "…".',
        });
        return undefined;
      },
    }),
  );
  const [head, ...body] = rows;
  const names = (head?.record ?? []).map((each) => each.toLowerCase());
  problems.push(...aboutHead(names));
  if (problems.length > 0) return { servers: [], problems };
  const read = body.map(({ record, info }) => ({ line: info.lines, ...rowOf(names, record) }));
  const servers = read.flatMap(({ line, row }) => (row === undefined ? [] : [{ line, row }]));
  problems.push(...read.flatMap(({ line, rules }) => rules.map((rule) => ({ line, rule }))), ...aboutTwice(servers));
  return { servers: servers.map(({ row }) => row), problems: problems.sort((a, b) => a.line - b.line) };
}

function aboutHead(names: readonly string[]): LineProblem[] {
  const rules = names.flatMap((name, at) => {
    if (!isColumn(name))
      return [`Column ${at + 1} is unknown.${nearestIs(name, columns)} There is: ${columns.join(', ')}.`];
    return names.indexOf(name) === at ? [] : [`Column ${at + 1} is there already.`];
  });
  const lacks = ['id', 'name'].filter((name) => !names.includes(name));
  if (lacks.length > 0) rules.push(`The first line names the columns: ${lacks.join(' and ')} must be among them.`);
  return rules.map((rule) => ({ line: 1, rule }));
}

/** A row of the file, checked like one of the policy. An empty cell is left out. */
function rowOf(names: readonly string[], record: readonly string[]): { row?: WrittenServer; rules: string[] } {
  if (record.length > names.length) return { rules: ['There are more cells than columns.'] };
  const cells = Object.fromEntries(names.flatMap((name, at) => (record[at] ? [[name, record[at]]] : [])));
  const { id, group, ips, ...rest } = cells;
  const read = server.safeParse({
    ...rest,
    id: numberIn(id),
    ...(group === undefined ? {} : { group: numberIn(group) }),
    ...(ips === undefined ? {} : { ips: ips.split(/[\s;,]+/) }),
  });
  if (!read.success)
    return { rules: [...new Set(read.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`))] };
  const { name, ...row } = read.data;
  return name === undefined ? { rules: [`name: Missing. ${nameRule}`] } : { row: { ...row, name }, rules: [] };
}

const numberIn = (cell: string | undefined): number | undefined =>
  cell === undefined ? undefined : /^\d+$/.test(cell) ? Number(cell) : Number.NaN;

/** What two servers must not share: id, name, address. */
function aboutTwice(rows: readonly { line: number; row: WrittenServer }[]): LineProblem[] {
  const firsts = new Map<string, number>();
  return rows.flatMap(({ line, row }) => {
    const addresses = [row.name, ...(row.ips ?? [])].flatMap((text) => addressIn(text) ?? []);
    const own = new Set([
      `id ${row.id}`,
      `name ${row.name.toLowerCase()}`,
      ...addresses.map((each) => `address ${each}`),
    ]);
    return [...own].flatMap((key) => {
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, line);
      return first === undefined ? [] : [{ line, rule: `Line ${first} has this ${key.split(' ')[0]} already.` }];
    });
  });
}
