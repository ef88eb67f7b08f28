import type { Redis } from 'ioredis';

/** With its current settings, this Redis could lose acknowledged writes. The message names the settings to change. */
export class LedgerUnsafe extends Error {
  readonly problem: string;
  readonly remedy: string;
  constructor(problem: string, remedy: string) {
    super(`the ledger cannot be kept in this Redis: ${problem}. ${remedy}`);
    this.name = 'LedgerUnsafe';
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** How a write is known to be on disk: by WAITAOF, or because the server always syncs before it answers. */
export type Sync = 'waitaof' | 'always';

const append = 'Set "appendonly yes" and "appendfsync always" in redis.conf';

/** Throws LedgerUnsafe if this Redis could lose an acknowledged write in a power cut, or evict it. */
export async function syncOf(redis: Redis): Promise<Sync> {
  const settings = await settingsOf(redis);
  // In INFO, because CONFIG is often forbidden.
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
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
    throw new LedgerUnsafe(`appendfsync is ${fsync ?? 'unknown'}`, `${append}, or use Redis 7.2 or newer, or Valkey.`);
  return 'always';
}

/** Undefined if the user may not read the settings. */
async function settingsOf(redis: Redis): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    // ioredis returns the reply unparsed: names and values in turn.
    const reply = (await redis.call('CONFIG', 'GET', 'append*')) as string[];
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

/** True for an error reply of the server: the command was not executed. */
export const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';
