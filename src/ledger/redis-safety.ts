import type { Redis } from 'ioredis';

/** This Redis, as it is set, could lose what it has acknowledged. The message names what to set. */
export class LedgerUnsafe extends Error {
  constructor(problem: string, remedy: string) {
    super(`the ledger cannot be kept in this Redis: ${problem}. ${remedy}`);
    this.name = 'LedgerUnsafe';
  }
}

/** How a write is known to be on disk: the server can be asked to wait for it, or waits always before it answers. */
export type Sync = 'waitaof' | 'always';

const append = 'Set "appendonly yes" and "appendfsync always" in redis.conf';

/** Throws LedgerUnsafe when a write that this Redis acknowledged may be gone after a power cut, or be evicted. */
export async function syncOf(redis: Redis): Promise<Sync> {
  const settings = await settingsOf(redis);
  const policy = settings?.get('maxmemory-policy');
  if (policy?.startsWith('allkeys'))
    throw new LedgerUnsafe(`maxmemory-policy is ${policy}, so that it may drop anything`, 'Set it to "noeviction".');
  if (settings?.get('appendonly') === 'no') throw new LedgerUnsafe('appendonly is no', `${append}.`);
  const fsync = settings?.get('appendfsync');
  if (fsync === 'no') throw new LedgerUnsafe('appendfsync is no', `${append}.`);
  if (await canWait(redis)) return 'waitaof';
  if (settings === undefined)
    throw new LedgerUnsafe(
      'its settings cannot be read',
      'Allow the bot\'s user "CONFIG GET", or use Redis 7.2 or newer, or Valkey.',
    );
  if (fsync !== 'always')
    throw new LedgerUnsafe(`appendfsync is ${fsync}`, `${append}, or use Redis 7.2 or newer, or Valkey.`);
  return 'always';
}

/** Undefined where the user may not read them. */
async function settingsOf(redis: Redis): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    // ioredis gives the reply as it comes: names and values in turn.
    const reply = (await redis.call('CONFIG', 'GET', 'append*', 'maxmemory-policy')) as string[];
    return new Map(
      reply.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, reply[at + 1] ?? '']] : [])),
    );
  } catch (error) {
    if (isReply(error)) return undefined;
    throw error;
  }
}

async function canWait(redis: Redis): Promise<boolean> {
  try {
    await redis.call('WAITAOF', 1, 0, 1);
    return true;
  } catch (error) {
    if (!isReply(error)) throw error;
    if (error.message.includes('appendonly')) throw new LedgerUnsafe('appendonly is no', `${append}.`);
    return false;
  }
}

/** True for a no of the server itself: the command was not done. */
export const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';
