import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';

/** What a Redis tells of itself. `eviction`: its maxmemory-policy. Either is left out where it does not say. */
export type RedisFound =
  | { state: 'unusable'; problem: string; remedy: string }
  | {
      state: 'ok';
      version?: string;
      eviction?: string;
      /** Why the ledger cannot be kept in it. */
      unsafe?: { problem: string; remedy: string };
    };

/** What a failure to ask says. Without a reason of its own, it did not answer. */
export function unusable(error: unknown): RedisFound {
  const { problem, remedy } = error instanceof RedisUnavailable ? error : new RedisUnavailable();
  return { state: 'unusable', problem, remedy };
}

/** Rejects where it does not answer. A user who may not ask for one of them gets the rest. */
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
