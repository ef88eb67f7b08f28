import type { Redis } from 'ioredis';

export interface LeaderOptions {
  /** How long a process leads without asking again, in ms. */
  ttl?: number;
  prefix?: string;
}

const script = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * What only one of several processes does at a time: asks whether it is this one, and stays it by asking again within `ttl`.
 * False while Redis does not answer. A leader that times out is followed by another after `ttl`.
 */
export function leaderLease(
  redis: Redis,
  name: string,
  processId: string,
  { ttl = 30_000, prefix = 'panelops:' }: LeaderOptions = {},
): () => Promise<boolean> {
  const key = `${prefix}leader:${name}`;
  return () =>
    redis.eval(script, 1, key, processId, ttl).then(
      (answer) => answer === 1,
      () => false,
    );
}
