import type { Redis } from 'ioredis';

/**
 * Who handles an interaction that Discord may have delivered to several processes; 'unknown' if Redis does not
 * answer.
 */
export type Claim = (interaction: string) => Promise<'ours' | 'theirs' | 'unknown'>;

const hour = 3_600;

/** The first process to claim an interaction owns it, for an hour. */
export function claims(redis: Redis, processId: string): Claim {
  return async (interaction) => {
    const key = `panelops:claim:${interaction}`;
    try {
      if ((await redis.set(key, processId, 'EX', hour, 'NX')) === 'OK') return 'ours';
      // A lost reply may belong to a claim that succeeded.
      return (await redis.get(key)) === processId ? 'ours' : 'theirs';
    } catch {
      return 'unknown';
    }
  };
}
