import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';
import type { Entry } from '../runs/entry.ts';
import { genesis, type Head, textOf, toLine } from './chain.ts';
import { LedgerDamaged } from './ledger.ts';
import { type Sync, syncOf } from './redis-safety.ts';

/** What the stream said: our head is its head (now, with what we added), or others were there first. */
export type Said = { kind: 'ours' } | { kind: 'moved'; head: Head; lines: string[] };

/** The ledger's stream: an entry has its `seq` as the stream's id, and the head is kept beside. */
export interface LedgerStream {
  /** Names it to a person. */
  name: string;
  /**
   * Adds all of the entries when the stream still ends at `head`; otherwise adds nothing and gives the next 1,000 lines
   * after `head`. Either way, what it speaks of is on disk. Of a rejection only LedgerUnsafe, LedgerDamaged, NotSent and a
   * ReplyError say that nothing was added.
   */
  exchange(head: Head, entries: readonly Entry[]): Promise<Said>;
  close(): void;
}

/** Nothing left this machine: there is no connection. */
export class NotSent extends RedisUnavailable {
  constructor() {
    super();
    this.name = 'NotSent';
  }
}

const page = 1_000;
/** How long a sync is waited for, in ms: shorter than any command may take. */
const syncTimeout = 2_000;

// The head is written again where it has moved, so that waiting for our own write covers what others wrote before.
const script = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local kept = redis.call('GET', KEYS[2])
local head = kept or ARGV[3]
if (last and last[1] or '0-0') ~= string.match(head, '^%d+') .. '-0' then return {'torn', head} end
local seq = string.match(ARGV[1], '^%d+')
if head ~= ARGV[1] then
  if kept then redis.call('SET', KEYS[2], kept) end
  local reply = {'moved', head}
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. seq .. '-0', '+', 'COUNT', ARGV[4])) do
    reply[#reply + 1] = entry[2][2]
  end
  return reply
end
for at = 5, #ARGV do redis.call('XADD', KEYS[1], string.format('%d-0', seq + at - 4), 'entry', ARGV[at]) end
if #ARGV > 4 then redis.call('SET', KEYS[2], ARGV[2]) end
return {'ours', ARGV[2]}`;

const headText = ({ seq, hash }: Head) => `${seq} ${hash}`;

/** The stream `<prefix>ledger` on a connection. WAITAOF holds up what follows on the connection: give it one of its own. */
export function ledgerStream(redis: Redis, prefix: string): LedgerStream {
  const name = `the stream ${prefix}ledger`;
  const keys = [`${prefix}ledger`, `${prefix}ledger-head`] as const;
  /** What is known of the server at the other end; it may be another one after each connection. */
  let known: Promise<Sync> | undefined;
  const forget = () => {
    known = undefined;
  };
  redis.on('ready', forget);

  async function ask(args: readonly (string | number)[], sync: Sync): Promise<unknown> {
    if (sync === 'always') return redis.callBuffer('EVAL', script, 2, ...keys, ...args);
    // In one pipeline, because WAITAOF waits for what its own connection wrote: on the next one it would wait for nothing.
    const pipeline = redis.pipeline().callBuffer('EVAL', script, 2, ...keys, ...args);
    const [said, synced] = (await pipeline.call('WAITAOF', 1, 0, syncTimeout).exec()) ?? [];
    if (said?.[0]) throw said[0];
    if (synced?.[0]) {
      // It has written, and cannot say whether that is on disk: its settings were changed.
      forget();
      throw new RedisUnavailable(synced[0]);
    }
    const onDisk = Array.isArray(synced?.[1]) && synced[1][0] === 1;
    if (!onDisk) throw new RedisUnavailable(new Error(`not on disk after ${syncTimeout} ms`));
    return said?.[1];
  }

  return {
    name,
    async exchange(head, entries) {
      if (redis.status !== 'ready') throw new NotSent();
      known ??= syncOf(redis);
      const sync = await known.catch((error: unknown) => {
        forget();
        throw error;
      });
      const next = entries.at(-1) ?? head;
      const args = [headText(head), headText(next), headText(genesis), page, ...entries.map(toLine)];
      return read(name, await unlessClosed(redis, ask(args, sync)));
    },
    close: () => void redis.off('ready', forget),
  };
}

/** ioredis leaves what was under way when a connection broke without an answer until its time is over. */
function unlessClosed<T>(redis: Redis, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new RedisUnavailable(new Error('the connection broke')));
    redis.once('close', onClose);
    reply.then(resolve, reject).finally(() => redis.off('close', onClose));
  });
}

function read(name: string, reply: unknown): Said {
  // The script's replies are lists of texts.
  const [kind, head, ...lines] = (reply as Buffer[]).map(textOf);
  if (kind === 'ours') return { kind };
  const [seq, hash = ''] = (head ?? '').split(' ');
  const at = { seq: Number(seq), hash };
  if (kind === 'torn')
    throw new LedgerDamaged(name, at.seq, `it does not end at entry ${at.seq}, as its head beside it says`);
  return { kind: 'moved', head: at, lines };
}
