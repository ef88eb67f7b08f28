import type { Redis } from 'ioredis';

const script = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * What only one of several processes does at a time: asks whether it is this one, and stays it by asking again within `ttl` ms.
 * False while Redis does not answer. A leader that times out is followed by another after `ttl`.
 */
export function leaderLease(redis: Redis, name: string, processId: string, ttl = 30_000): () => Promise<boolean> {
  const key = `panelops:leader:${name}`;
  return () =>
    redis.eval(script, 1, key, processId, ttl).then(
      (answer) => answer === 1,
      () => false,
    );
}
