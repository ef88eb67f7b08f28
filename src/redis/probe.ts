import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';

/** What Redis reports about itself. `eviction`: its maxmemory-policy. Either is missing if Redis does not report it. */
export type RedisFound =
  | { state: 'unusable'; problem: string; remedy: string }
  | {
      state: 'ok';
      version?: string;
      eviction?: string;
      /** Why this Redis cannot hold the ledger. */
      unsafe?: { problem: string; remedy: string };
    };

/** Describes a failed request. Any other error than RedisUnavailable counts as no answer. */
export function unusable(error: unknown): RedisFound {
  const { problem, remedy } = error instanceof RedisUnavailable ? error : new RedisUnavailable();
  return { state: 'unusable', problem, remedy };
}

/** Rejects if Redis does not answer. Leaves out what the Redis user may not read. */
export async function askRedis(redis: Redis): Promise<{ version?: string; eviction?: string }> {
  await redis.ping();
  const info = await redis.info('server').catch(() => '');
  // ioredis returns the reply unparsed: names and values in turn.
  const setting = await redis.call('CONFIG', 'GET', 'maxmemory-policy').catch(() => []);
  const eviction = Array.isArray(setting) ? setting[1] : undefined;
  const [, version] = /^(?:valkey|redis)_version:(\S+)/m.exec(info) ?? [];
  return {
    ...(version === undefined ? {} : { version }),
    ...(typeof eviction === 'string' ? { eviction } : {}),
  };
}
