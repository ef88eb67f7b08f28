import type { Redis } from 'ioredis';

const script = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * A lease that one of several processes holds at a time. Each call tries to take or renew it for `ttl` ms and returns
 * whether this process holds it; false while Redis does not answer. After `ttl` without renewal another process can
 * take it.
 */
export function leaderLease(redis: Redis, name: string, processId: string, ttl = 30_000): () => Promise<boolean> {
  const key = `panelops:leader:${name}`;
  return () =>
    redis.eval(script, 1, key, processId, ttl).then(
      (answer) => answer === 1,
      () => false,
    );
}
