import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { readText } from '../config/file.ts';
import { nameRule, server, sharedIn, type WrittenServer } from '../policy/server.ts';
import type { Problem } from '../policy/shape.ts';
import { nearestIs } from '../text.ts';

const columns = ['id', 'name', 'tier', 'group', 'ips'] as const;
const isColumn = (text: string): text is (typeof columns)[number] => columns.some((each) => each === text);

const options = {
  trim: true,
  skip_empty_lines: true,
  relax_column_count: true,
  skip_records_with_error: true,
} as const;

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
  const [head = [], ...body] = parse(text, {
    ...options,
    on_skip(error) {
      problems.push({
        line: Number(error?.['lines'] ?? 1),
        rule: 'Not valid CSV. Look at quotes: "" inside of "…".',
      });
      return undefined;
    },
  });
  const names = head.map((each) => each.toLowerCase());
  problems.push(...aboutHead(names));
  if (problems.length > 0) return { servers: [], problems };
  const rows = body.map((record) => rowOf(names, record));
  const places = rows.flatMap((row, at) => (Array.isArray(row) ? [] : [at]));
  const servers = rows.flatMap((row) => (Array.isArray(row) ? [] : [row]));
  const shared = sharedIn(servers);
  if (servers.length === rows.length && shared.length === 0) return { servers, problems: [] };
  const lines = linesIn(text);
  const lineAt = (n: number): number => lines[places[n] ?? 0] ?? 1;
  const wrong = [
    ...rows.flatMap((row, at) => (Array.isArray(row) ? row.map((rule) => ({ line: lines[at] ?? 1, rule })) : [])),
    ...shared.map(({ at, what, first }) => ({
      line: lineAt(at),
      rule: `Line ${lineAt(first)} has this ${what} already.`,
    })),
  ];
  return { servers, problems: wrong.sort((a, b) => a.line - b.line) };
}

const located = z.array(z.object({ info: z.object({ lines: z.number() }) }));

/** The line of each record behind the first: looked for only where one is wrong, because it takes as long as all the rest. */
const linesIn = (text: string): number[] =>
  located
    .parse(parse(text, { ...options, info: true }))
    .slice(1)
    .map(({ info }) => info.lines);

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

/** A row of the file, checked like one of the policy; or what is wrong with it. An empty cell is left out. */
function rowOf(names: readonly string[], record: readonly string[]): WrittenServer | string[] {
  if (record.length > names.length) return ['There are more cells than columns.'];
  const cells: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) if (record[at]) cells[name] = cellOf(name, record[at]);
  const { error, data } = server.safeParse(cells);
  if (error !== undefined)
    return [...new Set(error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`))];
  const { name } = data;
  return name === undefined ? [`name: Missing. ${nameRule}`] : { ...data, name };
}

function cellOf(name: string, cell: string): unknown {
  if (name === 'ips') return cell.split(/[\s;,]+/);
  return name === 'id' || name === 'group' ? numberIn(cell) : cell;
}

const numberIn = (cell: string): number => (/^\d+$/.test(cell) ? Number(cell) : Number.NaN);
