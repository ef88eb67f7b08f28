import { realpath, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { type Reading, readFiles, readStream } from '../ledger/reading.ts';
import type { Log } from '../outcome.ts';
import { connectRedis } from '../redis/connect.ts';
import { codeOf } from '../system.ts';

/** Where the bot stores its ledger: in Redis if `redisUrl` is set, otherwise in files. */
export interface LedgerPlace {
  dataDir: string;
  redisUrl?: string;
}

/** There is no ledger where the configuration points. The message names the setting to change. */
export class NoLedger extends Error {
  override name = 'NoLedger';
}

const silent = (): void => undefined;
/** For commands that report errors on standard error instead. */
export const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent };

/** Reads the ledger without a lock, also while the bot runs. Rejects with NoLedger, RedisUnavailable, disk errors. */
export async function readLedger(place: LedgerPlace): Promise<Reading> {
  const where = place.redisUrl === undefined ? 'DATA_DIR' : 'the Redis of REDIS_URL';
  const missing = new NoLedger(
    `There is no ledger in ${where}. Run this where the bot runs, with the bot's own environment.`,
  );
  // Nobody else waits for this process.
  const reading = await readPlace(place, availableParallelism()).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? missing : error;
  });
  if (reading.entries.length === 0 && reading.problem === undefined) throw missing;
  return reading;
}

/** Like `readLedger`, for a ledger that may be empty. `threads`: how many it may use. */
export async function readPlace({ dataDir, redisUrl }: LedgerPlace, threads = 1): Promise<Reading> {
  if (redisUrl === undefined) return readFiles(dataDir, threads);
  const { redis, ready, close } = connectRedis(redisUrl, silentLog, 'forReading');
  try {
    await ready();
    return await readStream(redis);
  } finally {
    await close();
  }
}

/** Whether a new file would be in or below a folder, by whatever path: `..` behind a link, a bind mount. */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const outer = await stat(folder).catch(() => undefined);
  const real = await realpath(dirname(file)).catch(() => undefined);
  if (outer === undefined || real === undefined) return false;
  for (let at = real; ; at = dirname(at)) {
    const { ino, dev } = await stat(at);
    if (ino === outer.ino && dev === outer.dev) return true;
    if (at === dirname(at)) return false;
  }
}
