import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { defined } from '../defined.ts';
import type { Entry } from '../runs/entry.ts';
import { genesis, type Head, textOf, verify } from './chain.ts';
import { readSegments, type Segment, verifySegments } from './segments.ts';

/** A ledger as it lies there, read by nobody's leave: the entries that stand, and the first that is not as it was written. */
export interface Reading {
  entries: readonly Entry[];
  head: Head;
  /** `words` name the place. */
  problem?: { seq: number; words: string };
}

/** How long an entry that is being written may take, in ms, and how often is looked. */
const writing = 500;
const looks = 5;

/** Reads the files in `dir`; the bot that writes them may live. Rejects with what reading files rejects with. */
export async function readFiles(dir: string): Promise<Reading> {
  const segments = await readSettled(dir);
  const entries: Entry[] = [];
  const result = verifySegments(segments, (entry) => entries.push(entry));
  const problem = result.ok
    ? unfinished(segments.at(-1), headOf(entries))
    : { seq: result.seq, words: `${basename(result.file)}: ${result.problem}` };
  return { entries, head: headOf(entries), ...defined({ problem }) };
}

/** What a bot at work is just writing is whole a moment later; what stays as it is was cut. */
async function readSettled(dir: string): Promise<Segment[]> {
  let segments = await readSegments(dir);
  for (let look = 1; look < looks && isTorn(segments); look += 1) {
    await delay(writing / looks);
    segments = await readSegments(dir);
  }
  return segments;
}

const isTorn = (segments: readonly Segment[]): boolean => (segments.at(-1)?.torn.length ?? 0) > 0;

function unfinished(last: Segment | undefined, { seq }: Head): Reading['problem'] {
  if (last === undefined || last.torn.length === 0) return undefined;
  const words = `${basename(last.file)}: after entry ${seq} stands an unfinished line; a bot that starts sets it aside`;
  return { seq: seq + 1, words };
}

const page = 1_000;

/** Reads the stream of openRedisLedger, changing nothing; processes may be at work on it. Rejects when Redis does not answer. */
export async function readStream(redis: Redis, prefix = 'panelops:'): Promise<Reading> {
  const key = `${prefix}ledger`;
  // Before the entries: whoever writes meanwhile only adds to them.
  const [seq = '0', hash = genesis.hash] = (await redis.get(`${key}-head`))?.split(' ') ?? [];
  const entries: Entry[] = [];
  const lines = await linesIn(redis, key);
  const result = verify(lines, (entry) => entries.push(entry));
  const words = result.ok ? shortness(entries, { seq: Number(seq), hash }) : result;
  const problem = words === undefined ? undefined : { seq: words.seq, words: `the stream ${key}: ${words.problem}` };
  return { entries, head: headOf(entries), ...defined({ problem }) };
}

async function linesIn(redis: Redis, key: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after = '-'; ; ) {
    // A reply to XRANGE is a list of ids, each with its fields and values.
    const rows = (await redis.callBuffer('XRANGE', key, after, '+', 'COUNT', page)) as [Buffer, Buffer[]][];
    for (const [, fields] of rows) lines.push(textOf(fields[1] ?? Buffer.alloc(0)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return lines;
    after = `(${last[0].toString('latin1')}`;
  }
}

/** Entries cut off at the end leave a sound chain, but the head beside the stream tells of them. */
function shortness(entries: readonly Entry[], head: Head): { seq: number; problem: string } | undefined {
  if (head.seq === 0 || entries[head.seq - 1]?.hash === head.hash) return undefined;
  const last = entries.length;
  return last < head.seq
    ? { seq: last + 1, problem: `it ends at entry ${last}, and entry ${head.seq} was written` }
    : { seq: head.seq, problem: `entry ${head.seq} is another than was written` };
}

const headOf = (entries: readonly Entry[]): Head => {
  const last = entries.at(-1);
  return last === undefined ? genesis : { seq: last.seq, hash: last.hash };
};
