import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { z } from 'zod';

/** What the soak needs of a line of the ledger; there may be more in it. */
const shape = z.looseObject({
  seq: z.number(),
  time: z.string(),
  kind: z.string(),
  run: z.string().optional(),
  command: z.string().optional(),
  actor: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
  server: z.looseObject({ id: z.number(), name: z.string().optional() }).optional(),
  outcome: z.string().optional(),
  reason: z.string().optional(),
  expires: z.string().optional(),
  step: z.string().optional(),
  end: z.string().optional(),
  n: z.number().optional(),
  follow: z.string().optional(),
  job: z.number().optional(),
  happened: z.boolean().optional(),
});

export type Entry = z.infer<typeof shape>;

/** Closed months come first, by their names; the file that is written has no month. */
const inOrder = (a: string, b: string): number =>
  Number(a === 'ledger.jsonl') - Number(b === 'ledger.jsonl') || a.localeCompare(b, 'en', { numeric: true });

/** The entries of the ledger in a folder, without a line that is being written. */
export function entriesInFolder(dir: string): Entry[] {
  return readdirSync(dir)
    .filter((name) => /^ledger.*\.jsonl$/.test(name))
    .sort(inOrder)
    .flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => shape.parse(JSON.parse(line)));
}

/** The entries of the ledger in Redis. */
export async function entriesInRedis(port: number): Promise<Entry[]> {
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 1, lazyConnect: true });
  // A failing connection rejects the command below.
  redis.on('error', () => undefined);
  try {
    const found = await redis.xrange('panelops:ledger', '-', '+');
    return found.map(([, fields]) => shape.parse(JSON.parse(fields[fields.indexOf('entry') + 1] ?? '')));
  } finally {
    redis.disconnect();
  }
}

/** What the ledger has of one server of an invocation. */
export interface Run {
  id: string;
  invocation: string;
  command: string;
  server: number | undefined;
  actor: string;
  entries: Entry[];
  /** The question, or the request before it. */
  asked?: Entry;
  confirmed?: Entry;
  intent?: Entry;
  outcomes: Entry[];
  /** Where its follow-up began. */
  started?: Entry;
  /** The ends of its follow-up: after one that nobody saw, somebody may say another. */
  ends: Entry[];
  /** The last of them. */
  ended?: Entry;
  /** That the end was said. */
  announced?: Entry;
  /** That the outcome was said to people. */
  pinged?: Entry;
  /** What somebody said of an end that nobody knew. */
  resolved?: Entry;
}

export const timeOf = ({ time }: Entry): number => Date.parse(time);

/** The runs, in the order of their first entry. */
export function runsOf(entries: readonly Entry[]): Run[] {
  const runs = new Map<string, Run>();
  for (const entry of entries) {
    const { run: id } = entry;
    if (id === undefined || entry.kind === 'denied') continue;
    const run = runs.get(id) ?? begin(entry, id);
    runs.set(id, run);
    add(run, entry);
  }
  return [...runs.values()];
}

const begin = ({ command = '', server, actor }: Entry, id: string): Run => ({
  id,
  invocation: id.split('.', 1).join(),
  command,
  server: server?.id,
  actor: actor?.id ?? '',
  entries: [],
  outcomes: [],
  ends: [],
});

function add(run: Run, entry: Entry): void {
  run.entries.push(entry);
  // Whoever takes a request on is asked in its place.
  if (['requested', 'asked'].includes(entry.kind)) run.asked = entry;
  if (entry.kind === 'confirmed') run.confirmed = entry;
  if (entry.kind === 'intent') run.intent = entry;
  if (entry.kind === 'outcome') run.outcomes.push(entry);
  // A question's end may be an entry of its own.
  if (['cancelled', 'expired'].includes(entry.kind)) run.outcomes.push({ ...entry, outcome: entry.kind });
  if (entry.kind === 'pinged') run.pinged = entry;
  if (entry.kind === 'resolved') run.resolved = entry;
  if (entry.kind !== 'follow-up') return;
  if (entry.step === 'started') run.started = entry;
  if (entry.step === 'announced') run.announced = entry;
  if (entry.step !== 'ended') return;
  run.ended = entry;
  run.ends.push(entry);
}

/** A line of the ledger for people. */
export const describeEntry = (entry: Entry, begun: number): string => {
  const { seq, kind, run, outcome, reason, step, end, actor } = entry;
  const words = [kind, run, outcome, reason, step, end, actor?.name].filter((word) => word !== undefined);
  return `+${timeOf(entry) - begun} ms  #${seq} ${words.join(' ')}`;
};
