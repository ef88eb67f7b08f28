import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import { genesis, type Head, textOf, verify } from './chain.ts';
import type { Entry } from './entry.ts';
import { readSegments, verifySegments } from './segments.ts';

/** A ledger as it lies there, read by nobody's leave: the entries that stand, and the first that is not as it was written. */
export interface Reading {
  entries: readonly Entry[];
  head: Head;
  /** `words` name the place. */
  problem?: { seq: number; words: string };
}

/** Reads the files in `dir`; the bot that writes them may live. Rejects with what reading files rejects with. */
export async function readFiles(dir: string): Promise<Reading> {
  const entries: Entry[] = [];
  const result = verifySegments(await readSegments(dir), (entry) => entries.push(entry));
  return {
    ...{ entries, head: headOf(entries) },
    ...(result.ok ? {} : { problem: { seq: result.seq, words: `${basename(result.file)}: ${result.problem}` } }),
  };
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
  return { entries, head: headOf(entries), ...(problem === undefined ? {} : { problem }) };
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
