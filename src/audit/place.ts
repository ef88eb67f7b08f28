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
export async function readLedger({ dataDir, redisUrl }: LedgerPlace): Promise<Reading> {
  if (redisUrl === undefined) return unlessEmpty(await readFiles(dataDir).catch(named), 'DATA_DIR');
  const { redis, ready, close } = connectRedis(redisUrl, nobody);
  try {
    await ready();
    return unlessEmpty(await readStream(redis), 'the Redis of REDIS_URL');
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
