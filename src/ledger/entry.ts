import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Actor, End, Outcome, RawOptions, Reason } from '../outcome.ts';

/** The steps of a run that are recorded. */
export type EntryKind = 'asked' | 'intent' | 'outcome' | 'denied' | 'follow-up';

/** What can happen to the watching of a job; `started` comes with the outcome `accepted`, `announced` is the ping at the end. */
export type FollowStep = 'started' | 'moved' | 'handed-over' | 'reminded' | 'ended' | 'announced';

/** What a caller records. Everything here is kept for good: nothing secret belongs in it. */
export interface NewEntry {
  /** Stem of the invocation, a dot, the number of the server: `9kq3v1x7m2a.1`. */
  run: string;
  kind: EntryKind;
  /** Who did this step; for an expiry, the requester. */
  actor: Actor;
  command: string;
  /** On `intent`: the process that sends. */
  owner?: string;
  /** Canonical input of the whole invocation. */
  options: RawOptions;
  server?: { id: number; name?: string; tier?: string };
  /** On `moved`, `message` is what the card is now; on `announced`, the message that pinged. */
  place: { guild: string; channel: string; parent?: string; message?: string };
  /** On `outcome` and `denied`, with `reason` and `said`. */
  outcome?: Outcome;
  reason?: Reason;
  said?: string;
  /** On `outcome`: what the yes came to, as the card says it: a queue id, the addresses assigned. */
  detail?: string;
  /** On `asked`: the question's id. */
  question?: string;
  /** On `asked`: when the question lapses, ISO time. */
  expires?: string;
  /** On `asked`: what must be typed to confirm. */
  typed?: string;
  /** On `asked`: what was read for this server. */
  facts?: Record<string, string | number | boolean>;
  /** On `follow-up`: which step. */
  step?: FollowStep;
  /** On `started`: what is watched. */
  follow?: 'restore' | 'power';
  /** On `started`: the panel's id of the job or of the queue's item. */
  job?: number;
  /** On `started`: when the watching ends at the latest, ISO time. */
  deadline?: string;
  /** On `handed-over`: who is pinged at the end from now on. */
  to?: Actor;
  /** On `reminded`: which reminder, counted from 1. */
  n?: number;
  /** On `ended`, with `said` for the reason that the panel gave. */
  end?: End;
  /** On `ended`: the person who said so; left out when the panel did. */
  by?: Actor;
}

/** An entry with its place in the chain. `seq` counts from 1, `time` is ISO, `hash` and `prev` are SHA-256 in hex. */
export interface Entry extends NewEntry {
  seq: number;
  time: string;
  prev: string;
  hash: string;
}

/** The last entry that stands: where the next one is linked to. */
export interface Head {
  seq: number;
  hash: string;
}

/** The head of an empty ledger. */
export const genesis: Head = { seq: 0, hash: '0'.repeat(64) };

/** JSON with sorted keys and nothing left to choice, so that one value has one text, and one hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Gives an entry its place in the chain: the hash is SHA-256 over the canonical JSON of everything but itself. */
export function seal(entry: NewEntry, seq: number, time: string, prev: string): Entry {
  const body = { ...entry, seq, time, prev };
  return { ...body, hash: sha256(canonical(body)) };
}

/** The one line that stands for an entry in a file, without its line feed. */
export function toLine(entry: Entry): string {
  return canonical(entry);
}

const envelope = z.looseObject({
  seq: z.int(),
  time: z.string(),
  prev: z.string(),
  hash: z.string(),
  run: z.string(),
  kind: z.string(),
});

/** The text of a line as it was stored. Decoding would mend broken UTF-8 and so hide a change. */
export const textOf = (line: Buffer): string => line.toString(isUtf8(line) ? 'utf8' : 'latin1');

/** The entry in a line, or undefined when the line is not, byte for byte, what `seal` and `toLine` made. */
function unseal(line: string): Entry | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  const read = envelope.safeParse(parsed);
  if (!read.success || canonical(parsed) !== line) return undefined;
  const { hash, ...body } = read.data;
  if (sha256(canonical(body)) !== hash) return undefined;
  // The hash says that `seal` wrote this line, so it has an entry's shape.
  return read.data as unknown as Entry;
}

export type Verification = { ok: true; count: number; head: string } | { ok: false; seq: number; problem: string };

/**
 * Walks a chain from its first line, or the one after `from`, handing each sound entry to `each`, and stops at the first
 * that is changed, missing or out of order; `seq` names it. `count` is the last entry's `seq`. Lines cut off at the end
 * leave a sound chain: only a head kept elsewhere shows that.
 */
export function verify(lines: Iterable<string>, each?: (entry: Entry) => void, from: Head = genesis): Verification {
  let head = from;
  for (const line of lines) {
    const seq = head.seq + 1;
    const entry = unseal(line);
    if (entry === undefined) return { ok: false, seq, problem: `entry ${seq} was changed` };
    if (entry.seq !== seq) return { ok: false, seq, problem: `entry ${seq} is missing: entry ${entry.seq} is there` };
    if (entry.prev !== head.hash) return { ok: false, seq, problem: `entry ${seq} does not follow entry ${head.seq}` };
    each?.(entry);
    head = { seq, hash: entry.hash };
  }
  return { ok: true, count: head.seq, head: head.hash };
}
