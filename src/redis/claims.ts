import type { Redis } from 'ioredis';

/** Whose an interaction is that Discord may have delivered to several processes; 'unknown' while Redis does not answer. */
export type Claim = (interaction: string) => Promise<'ours' | 'theirs' | 'unknown'>;

const hour = 3_600;

/** The first process that claims an interaction has it, for an hour. */
export function claims(redis: Redis, processId: string): Claim {
  return async (interaction) => {
    const key = `panelops:claim:${interaction}`;
    try {
      if ((await redis.set(key, processId, 'EX', hour, 'NX')) === 'OK') return 'ours';
      // A claim whose answer did not come may be here already.
      return (await redis.get(key)) === processId ? 'ours' : 'theirs';
    } catch {
      return 'unknown';
    }
  };
}
