import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { expectJudged, good } from '../helpers/redis/judged.ts';
import { describeEachRedisServer, type Settings, startRedisServer } from '../helpers/redis-server.ts';

/** How a Redis is run, what is done to it, and what is said of it where the ledger is in files, and where it is in it. */
interface Case {
  is: string;
  settings?: Settings;
  /** Beside the address. */
  url?(of: string): string;
  does?(client: Redis): Promise<unknown>;
  file: string;
  redis: string;
}

const acl = (...rules: string[]) => ({
  does: (client: Redis) => client.acl('SETUSER', 'panelops', 'on', '>pw', ...rules),
  url: (of: string) => of.replace('redis://', 'redis://panelops:pw@'),
});
const both = (words: string) => ({ file: words, redis: words });

/** Tries to write a snapshot, where a folder has its name. */
async function cannotSave(client: Redis): Promise<void> {
  const [, dir = ''] = (await client.config('GET', 'dir')) as string[];
  mkdirSync(join(dir, 'dump.rdb', 'x'), { recursive: true });
  await client.bgsave();
  await expect.poll(() => client.info('persistence')).toContain('rdb_last_bgsave_status:err');
}

const isCluster = 'wrong: REDIS_URL leads to a Redis Cluster';
const isReplica = 'wrong: REDIS_URL leads to a replica, which takes no writes.';

const cases: Case[] = [
  { is: 'as the documents say', file: good, redis: good },
  {
    is: 'that may drop anything',
    settings: { 'maxmemory-policy': 'allkeys-lru' },
    file: 'warning: maxmemory-policy is allkeys-lru: a Redis with full memory drops follow-ups',
    redis: 'wrong: The ledger is not safe in this Redis: maxmemory-policy is allkeys-lru',
  },
  {
    is: 'that may drop anything, and says so in INFO alone',
    settings: { 'maxmemory-policy': 'allkeys-random', 'rename-command': 'CONFIG ' },
    file: 'warning: maxmemory-policy is allkeys-random: a Redis with full memory drops follow-ups',
    redis: 'wrong: The ledger is not safe in this Redis: maxmemory-policy is allkeys-random',
  },
  {
    is: 'that may drop what expires',
    settings: { 'maxmemory-policy': 'volatile-ttl' },
    ...both('warning: maxmemory-policy is volatile-ttl: a Redis with full memory drops what expires'),
  },
  {
    is: 'without an append-only file',
    settings: { appendonly: 'no' },
    file: good,
    redis: 'wrong: The ledger is not safe in this Redis: appendonly is no.',
  },
  {
    is: 'that leaves it to the system when to write',
    settings: { appendfsync: 'no' },
    file: good,
    redis: 'wrong: The ledger is not safe in this Redis: appendfsync is no.',
  },
  { is: 'that is a replica', settings: { replicaof: '127.0.0.1 1' }, ...both(isReplica) },
  {
    is: 'that is a replica, and answers nothing without its primary',
    settings: { replicaof: '127.0.0.1 1', 'replica-serve-stale-data': 'no' },
    ...both(isReplica),
  },
  { is: 'in cluster mode', settings: { 'cluster-enabled': 'yes' }, ...both(isCluster) },
  {
    is: 'without the database of the address',
    settings: { databases: '4' },
    url: (of) => `${of}/4`,
    ...both('wrong: Redis does not have, or does not open, the database at the end of REDIS_URL.'),
  },
  { is: 'with another database of its own', url: (of) => `${of}/3`, file: good, redis: good },
  {
    is: 'whose user may not choose a database',
    ...acl('~*', '+@all', '-select'),
    url: (of) => `${of.replace('redis://', 'redis://panelops:pw@')}/1`,
    ...both('wrong: Redis does not have, or does not open, the database at the end of REDIS_URL.'),
  },
  {
    is: 'whose user may do what the documents say',
    ...acl('~panelops:*', '~bull:follow-ups:*', '+@all', '-@dangerous', '+info', '+config|get'),
    file: good,
    redis: good,
  },
  {
    is: 'whose user lacks commands',
    ...acl('~*', '+@all', '-@dangerous', '-zadd', '-eval'),
    ...both('wrong: Redis does not let the bot use INFO, ZADD, EVAL.'),
  },
  {
    is: 'whose user lacks what only the ledger needs',
    ...acl('~*', '+@all', '-xrange'),
    file: good,
    redis: 'wrong: Redis does not let the bot use XRANGE.',
  },
  {
    is: 'whose user may not use the keys of the queue',
    ...acl('~panelops:*', '+@all'),
    ...both('wrong: Redis does not let the bot use its keys.'),
  },
  {
    is: 'with a command under another name',
    settings: { 'rename-command': 'EVALSHA geheim' },
    ...both('wrong: Redis does not let the bot use EVALSHA.'),
  },
  {
    is: 'without transactions',
    settings: { 'rename-command': 'MULTI ' },
    ...both('wrong: Redis does not let the bot use MULTI.'),
  },
  {
    is: 'with full memory',
    settings: { maxmemory: '1' },
    file: 'warning: Redis takes no writes: its memory is full (OOM).',
    redis: 'wrong: Redis takes no writes: its memory is full (OOM).',
  },
  {
    is: 'with a full disk',
    settings: { save: '3600 1' },
    does: cannotSave,
    file: 'warning: Redis takes no writes: it cannot save its data to disk (MISCONF).',
    redis: 'wrong: Redis takes no writes: it cannot save its data to disk (MISCONF).',
  },
  {
    is: 'that wants replicas',
    settings: { 'min-replicas-to-write': '1' },
    file: 'warning: Redis takes no writes: too few replicas are connected (NOREPLICAS).',
    redis: 'wrong: Redis takes no writes: too few replicas are connected (NOREPLICAS).',
  },
  {
    is: 'with as many connections as it takes',
    settings: { maxclients: '1' },
    ...both('wrong: Redis takes no more connections: maxclients is reached.'),
  },
  {
    is: 'with a password that the address lacks',
    settings: { requirepass: 'right' },
    ...both('wrong: Redis wants a password, and REDIS_URL has none.'),
  },
  {
    is: 'with another password',
    settings: { requirepass: 'right' },
    url: (of) => of.replace('redis://', 'redis://:wrong@'),
    ...both('wrong: Redis refuses the user or the password of REDIS_URL.'),
  },
  {
    is: "in which another bot's data is",
    does: (client) => client.set('panelops:bot', '100000000000000002'),
    ...both('wrong: This database of Redis is that of the bot with the application id 100000000000000002.'),
  },
  { is: 'that is not there', url: (of) => of.replace(/:\d+$/, ':1'), ...both('wrong: Redis cannot be reached.') },
];

/** Waited for: what may be over soon. They wait together. */
const passes = (words: string): boolean => /replica|connections|cannot be reached/.test(words);

describeEachRedisServer('What check calls good, a start accepts, and nothing else: a Redis', (program) => {
  async function holds({ settings = {}, does, url = (of) => of, ...expected }: Case): Promise<void> {
    const { requirepass = '' } = settings;
    const server = await startRedisServer(settings, program);
    const client = new Redis(server.url, requirepass === '' ? {} : { password: requirepass });
    try {
      await new Promise((resolve) => client.once('ready', resolve));
      await does?.(client);
      await expectJudged(url(server.url), expected);
    } finally {
      client.disconnect();
      await server.stop();
    }
  }

  it.each(cases.filter(({ file }) => !passes(file)))('$is', holds);
  it.concurrent.each(cases.filter(({ file }) => passes(file)))('$is', holds);
});
