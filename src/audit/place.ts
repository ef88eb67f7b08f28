import { type Reading, readFiles, readStream } from '../ledger/reading.ts';
import type { Log } from '../outcome.ts';
import { connectRedis } from '../redis/connect.ts';

/** Where the bot keeps its ledger: `redisUrl` says that it is there, and no files. */
export interface LedgerPlace {
  dataDir: string;
  redisUrl?: string;
}

/** There is no ledger where the configuration says. The message names what to set. */
export class NoLedger extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'NoLedger';
  }
}

const silent = (): void => undefined;
const nobody: Log = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Reads the ledger while the bot may be at work on it, taking no lock and changing nothing. Rejects with NoLedger, with
 * RedisUnavailable, and with what reading files rejects with.
 */
export async function readLedger(place: LedgerPlace): Promise<Reading> {
  const where = place.redisUrl === undefined ? 'DATA_DIR' : 'the Redis of REDIS_URL';
  return unlessEmpty(await readPlace(place).catch(named), where);
}

/** The same where the bot itself has its ledger: it may be empty. */
export async function readPlace({ dataDir, redisUrl }: LedgerPlace): Promise<Reading> {
  if (redisUrl === undefined) return readFiles(dataDir);
  const { redis, ready, close } = connectRedis(redisUrl, nobody);
  try {
    await ready();
    return await readStream(redis);
  } finally {
    await close();
  }
}

function named(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new NoLedger(missing('DATA_DIR'));
  throw error;
}

function unlessEmpty(reading: Reading, where: string): Reading {
  if (reading.entries.length === 0 && reading.problem === undefined) throw new NoLedger(missing(where));
  return reading;
}

const missing = (where: string): string =>
  `There is no ledger in ${where}. Run this where the bot runs, with the bot's own environment.`;
