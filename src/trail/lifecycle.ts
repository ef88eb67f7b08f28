import { createHash } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';
import { type Actor, applicationOf, botActor, type Log } from '../outcome.ts';
import { type Entries, eventsIn } from '../runs/entries.ts';
import type { Entry, Kind, NewEntry } from '../runs/entry.ts';
import type { Reach } from './position.ts';

interface LifecycleParts {
  ledger: Pick<Ledger, 'append' | 'entries'>;
  bot: Actor;
  processId: string;
  facts: Record<string, string>;
  /** The start is recorded already. */
  begun?: boolean;
  log: Log;
}

/** The result of reading the configuration again. */
type Reconfigured = Pick<Kind<'configured'>, 'changed' | 'facts' | 'difference' | 'problems'>;

/** Records in the ledger when this process starts and stops, and configuration changes in between. */
export interface Lifecycle {
  /** Records the start and, before it, what changed in the configuration. False: try again. Never rejects. */
  begin(): Promise<boolean>;
  /** Records a configuration change, or why one was refused; if the ledger cannot be written, later. Never rejects. */
  reconfigured(what: Reconfigured): Promise<void>;
  /** Retries entries that the ledger could not take before. Never rejects. */
  retry(): Promise<void>;
  /** Records the stop, with the end of the trail, if the start is recorded. Never rejects. */
  end(reach?: Reach): Promise<void>;
}

/** What a start records: what differs from the configuration that was recorded last, and the start. */
export function beginning({
  ledger,
  bot,
  processId,
  facts,
}: Pick<LifecycleParts, 'bot' | 'processId' | 'facts'> & { ledger: Pick<Ledger, 'entries'> }): NewEntry[] {
  const changed = differencesSince(ledger.entries(), facts);
  return [
    ...(changed.length === 0 ? [] : [{ kind: 'configured' as const, actor: bot, changed }]),
    { kind: 'started', actor: bot, owner: processId, facts },
  ];
}

export function createLifecycle({ log, begun = false, ...parts }: LifecycleParts): Lifecycle {
  const { ledger, bot, processId } = parts;
  let ended = false;
  let starting: Promise<boolean> | undefined;
  const record = async (entries: readonly NewEntry[]): Promise<boolean> =>
    ledger.append(entries).then(
      () => true,
      (error: unknown) => {
        log.warn({ problem: String(error) }, 'cannot record a start, a stop or a configuration change yet');
        return false;
      },
    );
  function begin(): Promise<boolean> {
    if (begun) return Promise.resolve(true);
    starting ??= record(beginning(parts)).finally(() => {
      starting = undefined;
    });
    return starting.then((recorded) => {
      begun = recorded;
      return recorded;
    });
  }
  /** Configuration changes to record, oldest first. */
  const waiting: NewEntry[] = [];
  let flushing = Promise.resolve();
  async function flushNow(): Promise<void> {
    // Nothing may follow the stop, so `end` records the rest before it.
    while (begun && !ended && waiting.length > 0) {
      const batch = [...waiting];
      if (!(await record(batch))) return;
      waiting.splice(0, batch.length);
    }
  }
  const flush = (): Promise<void> => {
    flushing = flushing.then(flushNow);
    return flushing;
  };
  return {
    begin,
    reconfigured(what) {
      waiting.push({ kind: 'configured', actor: bot, owner: processId, ...what });
      return flush();
    },
    async retry() {
      if (!ended && (await begin())) await flush();
    },
    async end(reach) {
      ended = true;
      await Promise.all([starting, flushing]);
      const stopped: NewEntry = { kind: 'stopped', actor: bot, owner: processId, reach };
      if (begun) await record([...waiting, stopped]);
    },
  };
}

/** The bot as an actor: the user has the id of its application. */
export const botOf = (token: string): Actor => ({ ...botActor, id: applicationOf(token) ?? botActor.id });

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
export function differencesSince(entries: Entries, facts: Facts): string[] {
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
