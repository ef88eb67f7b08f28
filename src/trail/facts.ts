import { createHash } from 'node:crypto';
import { type Entries, eventsIn } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';

/** The configuration that the ledger may show to everybody who reads it. */
export interface Configuration {
  version?: string;
  audit?: string;
  panel: string;
  /** The sections of the policy by name. */
  policy: object;
}

const digits = 12;

/** A short hash, independent of the order of keys. */
const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')
    .slice(0, digits);

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) sorted[key] = inOrder(Reflect.get(value, key));
  return sorted;
}

/** The facts for a `started` entry: names and ids in plain text, everything else as a hash. */
export function factsOf({ version, audit, panel, policy }: Configuration): Record<string, string> {
  const parts = Object.entries(policy).filter(([, part]) => part !== undefined);
  return {
    ...(version === undefined ? {} : { version }),
    ...(audit === undefined ? {} : { audit }),
    panel: hashOf(panel),
    ...Object.fromEntries(parts.map(([name, part]) => [`policy.${name}`, hashOf(part)])),
  };
}

type Facts = Readonly<Record<string, string>>;

/** The names of the facts that differ, sorted. */
export function changedFacts(before: Facts, after: Facts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/** The names of the facts that differ from the last recorded configuration. Empty at the first start. */
export function changedSince(entries: Entries, facts: Facts): string[] {
  const known = (entry: Entry): Facts | undefined =>
    entry.kind === 'started' || entry.kind === 'configured' ? entry.facts : undefined;
  const last = eventsIn(entries).findLast((entry) => known(entry) !== undefined);
  const before = last && known(last);
  return before === undefined ? [] : changedFacts(before, facts);
}

/** Limits that keep the entry small: number of lines, and characters in each. */
const maxDifference = { lines: 20, characters: 160 };

/** A diff of two policies, a line for each row: "- " removed, "+ " added. */
export function differenceOf(before: object, after: object): string[] {
  const [removed, added] = [new Set(rowsOf(before)), new Set(rowsOf(after))];
  const lines = [
    ...[...removed].filter((row) => !added.has(row)).map((row) => `- ${row}`),
    ...[...added].filter((row) => !removed.has(row)).map((row) => `+ ${row}`),
  ];
  const shown =
    lines.length > maxDifference.lines
      ? [...lines.slice(0, maxDifference.lines), `${lines.length - maxDifference.lines} more`]
      : lines;
  return shown.map((line) =>
    line.length > maxDifference.characters ? `${line.slice(0, maxDifference.characters - 1)}…` : line,
  );
}

/** "roles { role: 1200000000000000001, name: viewer, allow: [read] }" */
const rowsOf = (policy: object): string[] =>
  Object.entries(policy).flatMap(([name, part]) => {
    if (part === undefined) return [];
    const rows: unknown[] = Array.isArray(part) ? part : [part];
    return rows.map((row) => `${name} ${flow(row)}`);
  });

/** YAML flow style on one line, without quotes. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${flow(member)}`);
  return `{ ${members.join(', ')} }`;
}
