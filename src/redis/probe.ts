import { createHash } from 'node:crypto';
import type { ChainableCommander, Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';
import { type RedisError, type Refusal, refusalOf } from './refusal.ts';

/** What is wrong with a Redis that answers. `passes`: by itself, such as a full memory. */
export interface RedisFinding {
  /** With `wrong`, the bot does not start. */
  state: 'warning' | 'wrong';
  problem: string;
  remedy: string;
  passes?: true;
}

/** `server`: as in "Redis 7.0.15". */
export type RedisFound =
  | { state: 'unusable'; problem: string; remedy: string }
  | { state: 'ok'; server: string; findings: readonly RedisFinding[] };

/** What Redis is for: the queue alone, or the ledger, too. */
export type LedgerIn = 'file' | 'redis';

/** Describes a failed request. An error that says nothing of Redis counts as no answer. */
export function unusable(error: unknown): Extract<RedisFound, { state: 'unusable' }> {
  const said = error instanceof Error && !(error instanceof RedisUnavailable) ? refusalOf(error) : undefined;
  const { problem, remedy } = said ?? (error instanceof RedisUnavailable ? error : new RedisUnavailable());
  return { state: 'unusable', problem, remedy };
}

const wrong = (problem: string, remedy: string): RedisFinding => ({ state: 'wrong', problem, remedy });
const warning = (problem: string, remedy: string): RedisFinding => ({ state: 'warning', problem, remedy });

/** Servers that speak like Redis, by what only they say in INFO. Their redis_version is that of the Redis they imitate. */
const others: readonly [string, RegExp][] = [
  ['Dragonfly', /^dragonfly_version:/m],
  ['KeyDB', /^mvcc_depth:|^executable:.*keydb/m],
  ['Garnet', /^garnet_version:/m],
  ['Kvrocks', /^kvrocks_version:/m],
];

const oldest = '6.2';
/** BullMQ refuses what is older. */
const oldestOfAll = '5.0';

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = than.split('.').map(Number);
  return major < least || (major === least && minor < leastMinor);
}

function aboutVersion(version: string, ledgerIn: LedgerIn): RedisFinding[] {
  if (!isOlder(version, oldest)) return [];
  const remedy = `Use Redis ${oldest} or newer, or Valkey.`;
  if (isOlder(version, oldestOfAll))
    return [wrong(`Redis is version ${version}, in which the queue does not work`, remedy)];
  if (ledgerIn === 'redis') return [wrong(`Redis is version ${version}, from which the ledger cannot be read`, remedy)];
  return [warning(`Redis is version ${version}, in which follow-ups look late`, remedy)];
}

/** The ledger's own judgement has a policy that may drop the ledger. */
function aboutEviction(policy: string, ledgerIn: LedgerIn): RedisFinding[] {
  const remedy = 'Set "maxmemory-policy noeviction" in redis.conf.';
  const may = `maxmemory-policy is ${policy}: a Redis with full memory drops`;
  const expires = 'The ledger and the queue do not expire';
  if (policy.startsWith('volatile'))
    return [
      ledgerIn === 'redis'
        ? warning(`${may} what expires, which is who has which command, and how far cards are. ${expires}`, remedy)
        : warning(`${may} what expires, which is when a worker last took a job, and its locks. ${expires}`, remedy),
    ];
  if (policy === 'noeviction' || ledgerIn === 'redis') return [];
  return [warning(`${may} follow-ups, which the bot queues again from its ledger within a minute`, remedy)];
}

async function aboutCommands(redis: Redis, ledgerIn: LedgerIn): Promise<RedisFinding[]> {
  const { refusal, commands, keys, other } = await tryCommands(redis, ledgerIn);
  if (refusal?.readOnly) {
    const { problem, remedy } = refusal;
    const state = ledgerIn === 'redis' ? 'wrong' : 'warning';
    const effect = ledgerIn === 'redis' ? 'Changes are refused until then.' : 'Nothing is followed until then.';
    return [{ state, problem, remedy: `${remedy} ${effect}`, passes: true }];
  }
  if (refusal !== undefined) return [wrong(refusal.problem, refusal.remedy)];
  const found = [
    ...(commands.length === 0
      ? []
      : [
          wrong(
            `Redis does not let the bot use ${commands.join(', ')}`,
            'Allow them to the user of REDIS_URL (ACL SETUSER), and let them keep their names (rename-command).',
          ),
        ]),
    ...(keys
      ? [
          wrong(
            'Redis does not let the bot use its keys',
            'Allow the user of REDIS_URL ~panelops:* and ~bull:follow-ups:* (ACL SETUSER).',
          ),
        ]
      : []),
  ];
  if (found.length > 0 || other === undefined) return found;
  return [
    wrong(
      `Redis refuses what the bot needs (${wordOf(other)})`,
      'Use a Redis or Valkey without a proxy in front of it.',
    ),
  ];
}

/** An error's first word is a name in capitals, or nothing that may be shown. */
const wordOf = (word: string): string => (/^[A-Z]+$/.test(word) ? word : 'an unknown error');

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:([\\w.-]+)`, 'm').exec(info)?.[1];

/** What is said of a Redis, whatever the bot is to keep there. Rejects with RedisUnavailable, or a reply's error. */
export async function askRedis(redis: Redis, ledgerIn: LedgerIn): Promise<Extract<RedisFound, { state: 'ok' }>> {
  const info = await redis.info().catch((error: Error) => {
    // It is among the commands that are tried.
    if (/^NOPERM|unknown command/.test(error.message)) return '';
    throw error;
  });
  const other = others.find(([, sign]) => sign.test(info))?.[0];
  const isValkey = /^valkey_version:/m.test(info);
  const version = fieldOf(info, isValkey ? 'valkey_version' : 'redis_version');
  const policy = fieldOf(info, 'maxmemory_policy');
  const findings = [
    ...(await aboutCommands(redis, ledgerIn)),
    ...(version === undefined ? [] : aboutVersion(version, ledgerIn)),
    ...(policy === undefined ? [] : aboutEviction(policy, ledgerIn)),
    ...(other === undefined
      ? []
      : [warning(`This is ${other}, with which the bot was not tested`, 'Use Redis or Valkey where you can.')]),
  ];
  const name = other ?? (isValkey ? 'Valkey' : 'Redis');
  return { state: 'ok', server: other === undefined && version !== undefined ? `${name} ${version}` : name, findings };
}

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
interface Refused {
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
async function tryCommands(redis: Redis, ledgerIn: 'file' | 'redis'): Promise<Refused> {
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
