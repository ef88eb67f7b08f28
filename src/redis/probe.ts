import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';
import { tryCommands } from './needs.ts';
import { refusalOf } from './refusal.ts';

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
