import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type Entries, isEvent, markOf } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { verifyApart } from './apart.ts';
import { genesis, type Head, textOf, verify } from './chain.ts';
import { joinedHead, readSegments, type Segment, verifySegments } from './segments.ts';
import { openStored } from './stored.ts';

/** A ledger read without its lock: the valid entries, and the first invalid one. */
export interface Reading {
  entries: Entries;
  head: Head;
  /** `words` describe the place. */
  problem?: { seq: number; words: string };
}

/** How long the write of an entry may take, and how often to check, in ms. */
const writing = 500;
const looks = 5;

/** Bytes from which on it takes longer to verify them than to start threads. */
const many = 1 << 24;

/** Reads the files in `dir`, also while a bot writes them. Rejects with the file system's error. `threads`: how many it may use. */
export async function readFiles(dir: string, threads = 1): Promise<Reading> {
  const segments = await readSettled(dir);
  const isLong = segments.length > 1 && segments.reduce((sum, { size }) => sum + size, 0) >= many;
  return (isLong && threads > 1 ? await readApart(segments, threads) : undefined) ?? readInTurn(segments);
}

/** Each file in a thread. Undefined where anything is not as it should be: what it is, is said of one after the other. */
async function readApart(segments: readonly Segment[], threads: number): Promise<Reading | undefined> {
  const verified = await verifyApart(segments, threads);
  const head = verified && joinedHead(segments, verified);
  if (head === undefined) return undefined;
  const entries = openStored();
  for (const [at, { file, stats }] of segments.entries()) {
    const { sizes = [], marks = [], times = [], events = [] } = verified?.[at] ?? {};
    entries.open(file, stats);
    const bySeq = new Map(events.map((event) => [event.seq, event]));
    sizes.forEach((size, line) => {
      const row = { size, mark: marks[line] ?? 0, time: times[line] ?? 0 };
      entries.addLine(row, bySeq.get(entries.length + 1));
    });
  }
  return { entries, head, problem: unfinished(segments.at(-1), head) };
}

function readInTurn(segments: readonly Segment[]): Reading {
  const entries = openStored();
  let head = genesis;
  const result = verifySegments(segments, (entry, line, { segment, isFirst }) => {
    if (isFirst) entries.open(segment.file, segment.stats);
    const row = { size: line.length, mark: markOf(entry.hash), time: Date.parse(entry.time) };
    entries.addLine(row, isEvent(entry) ? entry : undefined);
    head = { seq: entry.seq, hash: entry.hash };
  });
  const problem = result.ok
    ? unfinished(segments.at(-1), head)
    : { seq: result.seq, words: `${basename(result.file)}: ${result.problem}` };
  return { entries, head, problem };
}

/** A line being written is complete a moment later; one that stays incomplete was cut. */
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
  const words = `${basename(last.file)}: entry ${seq} is followed by an unfinished line; the bot sets it aside when it starts`;
  return { seq: seq + 1, words };
}

const page = 1_000;

/** Reads the stream of openRedisLedger without changing it, also while processes write to it. */
export async function readStream(redis: Redis): Promise<Reading> {
  const key = 'panelops:ledger';
  // Read before the entries: concurrent writers only append.
  const [seq = '0', hash = genesis.hash] = (await redis.get(`${key}-head`))?.split(' ') ?? [];
  const entries: Entry[] = [];
  const lines = await linesIn(redis, key);
  const result = verify(lines, (entry) => entries.push(entry));
  const words = result.ok ? shortness(entries, { seq: Number(seq), hash }) : result;
  const problem = words === undefined ? undefined : { seq: words.seq, words: `the stream ${key}: ${words.problem}` };
  return { entries, head: headOf(entries), problem };
}

async function linesIn(redis: Redis, key: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after = '-'; ; ) {
    // XRANGE replies with a list of ids, each with its fields and values.
    const rows = (await redis.callBuffer('XRANGE', key, after, '+', 'COUNT', page)) as [Buffer, Buffer[]][];
    for (const [, fields] of rows) lines.push(textOf(fields[1] ?? Buffer.alloc(0)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return lines;
    after = `(${last[0].toString('latin1')}`;
  }
}

/** Entries cut off at the end leave a valid chain; the head stored beside the stream shows that they are missing. */
function shortness(entries: readonly Entry[], head: Head): { seq: number; problem: string } | undefined {
  if (head.seq === 0 || entries[head.seq - 1]?.hash === head.hash) return undefined;
  const last = entries.length;
  return last < head.seq
    ? { seq: last + 1, problem: `it ends at entry ${last}, but entry ${head.seq} was written` }
    : { seq: head.seq, problem: `entry ${head.seq} is not the one that was written` };
}

const headOf = (entries: readonly Entry[]): Head => {
  const last = entries.at(-1);
  return last === undefined ? genesis : { seq: last.seq, hash: last.hash };
};
