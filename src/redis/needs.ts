import { createHash } from 'node:crypto';
import type { ChainableCommander, Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';
import { type RedisError, type Refusal, refusalOf } from './refusal.ts';

/** What the queue sends, most of it from BullMQ's scripts. `k` is a key that is gone after each line. */
const forQueue = [
  'INFO server',
  'SET k v PX 1000, GET k, PTTL k, EXISTS k, PEXPIRE k 1000, DEL k',
  'INCR k, DEL k',
  'HSET k f v, HMSET k f v, HGET k f, HMGET k f, HGETALL k, HEXISTS k f, HINCRBY k n 1, DEL k',
  'LPUSH k v, LLEN k, LRANGE k 0 -1, LREM k 1 x, RPOPLPUSH k k, LTRIM k 0 -1, DEL k',
  'SADD k v, SCARD k, SMEMBERS k, SREM k v, DEL k',
  'ZADD k 1 v, ZCARD k, ZSCORE k v, ZRANGE k 0 -1, ZRANGEBYSCORE k 0 1, ZREVRANGEBYSCORE k 1 0, ZREM k x, DEL k',
  'BZPOPMIN k 1, ZPOPMIN k',
  'XADD k * f v, XTRIM k MAXLEN 0, DEL k',
];

/** What the ledger and the open cards send besides. */
const forLedger = ['HDEL k f, EXPIRE k 1', 'XADD k 1-0 f v, XRANGE k - + COUNT 1, XREVRANGE k + - COUNT 1, DEL k'];

/** Two keys, as each script has: where keys are spread over servers, it fails. */
const script = "return redis.call('EXISTS', KEYS[1], KEYS[2])";
const digest = createHash('sha1').update(script).digest('hex');

export const neededCommands: readonly string[] = [
  ...[...forQueue, ...forLedger].flatMap((line) => line.split(', ').map((command) => command.split(' ')[0] ?? '')),
  ...['EVAL', 'EVALSHA', 'MULTI', 'EXEC', 'PING'],
];

/** What a Redis refuses of all that the bot sends. */
export interface Refused {
  refusal?: Refusal;
  /** Commands that this user may not use, or that have another name. */
  commands: string[];
  /** Whether the user may not use some of our keys. */
  keys: boolean;
  /** The first word of any other error. */
  other?: string;
}

const added = (all: ChainableCommander, key: string, lines: readonly string[]): void => {
  for (const command of lines.flatMap((line) => line.split(', '))) {
    const [name = '', ...args] = command.split(' ');
    all.call(name, ...args.map((arg) => (arg === 'k' ? key : arg)));
  }
};

/** Tries every command that the bot needs, in one transaction, on keys that are gone afterwards. */
export async function tryCommands(redis: Redis, ledgerIn: 'file' | 'redis'): Promise<Refused> {
  const [own, queued] = ['panelops:check', 'bull:follow-ups:check'];
  const all = redis.multi();
  added(all, queued, forQueue);
  added(all, own, ledgerIn === 'redis' ? forLedger : ['SET k v PX 1000, PTTL k, DEL k']);
  all.call('EVAL', script, 2, queued, `${queued}-2`).call('EVALSHA', digest, 2, own, `${own}-2`);
  return judged(await errorsOf(all));
}

async function errorsOf(all: ChainableCommander): Promise<RedisError[]> {
  try {
    return ((await all.exec()) ?? []).flatMap(([error]) => error ?? []);
  } catch (error) {
    if (!isReply(error)) throw new RedisUnavailable(error, closes);
    // ioredis adds why each command was not taken.
    const { previousErrors = [] } = error as RedisError & { previousErrors?: RedisError[] };
    return [...previousErrors, error];
  }
}

const closes = {
  problem: 'Redis closed the connection, or said nothing, when the bot tried the commands that it needs',
  remedy: 'If there is a proxy in front of it, let REDIS_URL name that Redis itself.',
};

const isReply = (error: unknown): error is RedisError => error instanceof Error && error.name === 'ReplyError';

function judged(errors: readonly RedisError[]): Refused {
  const refusal = errors.map(refusalOf).find((found) => found !== undefined);
  const isAboutKeys = ({ message }: RedisError): boolean => /^NOPERM .*\b(?:key|keys)\b/.test(message);
  const isAboutCommand = (error: RedisError): boolean =>
    /^NOPERM|unknown command/i.test(error.message) && !isAboutKeys(error);
  const commands = errors.filter(isAboutCommand).map(({ command }) => command?.name.toUpperCase() ?? '');
  const other = errors.find((error) => !isAboutKeys(error) && !isAboutCommand(error));
  return {
    refusal,
    commands: [...new Set(commands)],
    keys: errors.some(isAboutKeys),
    ...(other === undefined ? {} : { other: other.message.split(' ')[0] ?? '' }),
  };
}
