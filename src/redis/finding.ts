import type { Redis } from 'ioredis';

/** What one process found out and the others should know, for an hour. Both reject when Redis does not answer. */
export interface Finding {
  isKnown(): Promise<boolean>;
  tell(): Promise<void>;
}

const seconds = 3600;

export function finding(redis: Redis, name: string, prefix = 'panelops:'): Finding {
  const key = `${prefix}finding:${name}`;
  return {
    async isKnown() {
      return (await redis.exists(key)) === 1;
    },
    async tell() {
      await redis.set(key, '1', 'EX', seconds);
    },
  };
}
