import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';
import { genesis, type Head, textOf } from './chain.ts';
import { LedgerDamaged, LedgerUnsafe } from './ledger.ts';

/** Its head is ours (including what we added), or others appended since. `held`: another lease than the one to take. */
export type StreamReply = { kind: 'ours' } | { kind: 'moved'; head: Head; lines: string[] } | { kind: 'held' };

/** Takes the lease with an append: only while it is `from`, which is empty where there is none. */
interface Taking {
  from: string;
  to: string;
}

export type LedgerStream = ReturnType<typeof ledgerStream>;

/** Nothing was sent: there is no connection. */
export class NotSent extends RedisUnavailable {
  override name = 'NotSent';
}

const page = 1_000;
/** How long to wait for a sync, in ms: shorter than the timeout of any command. */
const syncTimeout = 2_000;

// Rewrites the head even where only others moved it, so that waiting for our own write covers theirs too.
const script = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local kept = redis.call('GET', KEYS[2])
local head = kept or ARGV[3]
if (last and last[1] or '0-0') ~= string.match(head, '^%d+') .. '-0' then return {'torn', head} end
local seq = string.match(ARGV[1], '^%d+')
if ARGV[5] == 'take' and (redis.call('GET', KEYS[3]) or '') ~= ARGV[6] then return {'held', head} end
if head ~= ARGV[1] then
  if kept then redis.call('SET', KEYS[2], kept) end
  local reply = {'moved', head}
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. seq .. '-0', '+', 'COUNT', ARGV[4])) do
    reply[#reply + 1] = entry[2][2]
  end
  return reply
end
for at = 8, #ARGV do redis.call('XADD', KEYS[1], string.format('%d-0', seq + at - 7), 'entry', ARGV[at]) end
if #ARGV > 7 then redis.call('SET', KEYS[2], ARGV[2]) end
if ARGV[5] == 'take' then redis.call('SET', KEYS[3], ARGV[7]) end
return {'ours', ARGV[2]}`;

const headText = ({ seq, hash }: Head) => `${seq} ${hash}`;

/**
 * The stream `<prefix>ledger`: an entry's stream id is its `seq`; the head is stored beside it. WAITAOF blocks later
 * commands, so it needs a connection of its own.
 */
export function ledgerStream(redis: Redis, prefix: string, judgeEvery = 10_000) {
  const name = `the stream ${prefix}ledger`;
  const leaseKey = `${prefix}lease`;
  const keys = [`${prefix}ledger`, `${prefix}ledger-head`, leaseKey] as const;
  /** What is known of this server, and since when. Forgotten on reconnect, which may reach another one. */
  let known: { sync: Promise<Sync>; at: number } | undefined;
  const forget = () => {
    known = undefined;
  };
  redis.on('ready', forget);

  async function ask(args: readonly (string | number)[], sync: Sync): Promise<unknown> {
    if (sync === 'always') return redis.callBuffer('EVAL', script, 3, ...keys, ...args);
    // One pipeline, because WAITAOF only waits for writes of its own connection; after a reconnect it would wait for
    // nothing.
    const pipeline = redis.pipeline().callBuffer('EVAL', script, 3, ...keys, ...args);
    const [result, synced] = (await pipeline.call('WAITAOF', 1, 0, syncTimeout).exec()) ?? [];
    if (result?.[0]) throw result[0];
    if (synced?.[0]) {
      // The write happened, but the server cannot say whether it is on disk: its settings were changed.
      forget();
      throw new RedisUnavailable(synced[0]);
    }
    const onDisk = Array.isArray(synced?.[1]) && synced[1][0] === 1;
    if (!onDisk) throw new RedisUnavailable(new Error(`Redis did not sync within ${syncTimeout} ms`));
    return result?.[1];
  }

  return {
    /** The name shown to people. */
    name,
    leaseKey,
    /** The lease as it is; empty where there is none. */
    lease: async (): Promise<string> => (await unlessClosed(redis, redis.get(leaseKey))) ?? '',
    /**
     * Adds all entries if the stream still ends at `head`; otherwise adds nothing and returns the next 1,000 lines
     * after `head`. Either way, what it reports is on disk. Only LedgerUnsafe, LedgerDamaged, NotSent and a ReplyError
     * mean that nothing was added.
     */
    async exchange(
      head: Head,
      lines: readonly string[] = [],
      next = head,
      taking: Taking | undefined = undefined,
    ): Promise<StreamReply> {
      if (redis.status !== 'ready') throw new NotSent();
      // Its settings may be changed while it runs, and it would answer as before.
      if (known === undefined || performance.now() - known.at >= judgeEvery)
        known = { sync: syncOf(redis), at: performance.now() };
      const sync = await known.sync.catch((error: unknown) => {
        forget();
        throw error;
      });
      const take = taking === undefined ? ['', '', ''] : ['take', taking.from, taking.to];
      const args = [headText(head), headText(next), headText(genesis), page, ...take, ...lines];
      return read(name, await unlessClosed(redis, ask(args, sync)));
    },
    close: (): void => void redis.off('ready', forget),
  };
}

/** When a connection breaks, ioredis leaves its commands until they time out; this rejects them at once. */
function unlessClosed<T>(redis: Redis, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new RedisUnavailable(new Error('connection closed')));
    redis.once('close', onClose);
    reply.then(resolve, reject).finally(() => redis.off('close', onClose));
  });
}

function read(name: string, reply: unknown): StreamReply {
  // The script replies with a list of texts.
  const [kind, head, ...lines] = (reply as Buffer[]).map(textOf);
  if (kind === 'ours' || kind === 'held') return { kind };
  const [seq, hash = ''] = (head ?? '').split(' ');
  const at = { seq: Number(seq), hash };
  if (kind === 'torn')
    throw new LedgerDamaged(name, at.seq, `it does not end at entry ${at.seq}, where the head stored beside it points`);
  return { kind: 'moved', head: at, lines };
}

/** How a write is known to be on disk: by WAITAOF, or because the server always syncs before it answers. */
type Sync = 'waitaof' | 'always';

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
