import type { Redis } from 'ioredis';

/** How far the trail is in its channel, for all processes on one Redis: only one of them posts. */
export interface TrailState {
  /** The last entry that is in the channel, by `seq`; undefined while nobody knows. */
  at(): number | undefined;
  /** Whether the channel refused the bot, the last time that it was tried. */
  closed(): boolean;
  /** The channel took or showed everything up to that entry. */
  reached(seq: number): Promise<void>;
  refused(): Promise<void>;
  /** Takes in what another process knows. */
  load(): Promise<void>;
  /** True for the first process that hears of something, for an hour. Rejects when Redis does not answer. */
  claim(what: string): Promise<boolean>;
  /** How many deletions have been put down to each entry of Discord's audit log. Rejects when Redis does not answer. */
  counted(): Promise<Readonly<Record<string, string>>>;
  count(entry: string, n: number): Promise<void>;
}

const hour = 3_600;
/** Discord goes on with an entry of its audit log for five minutes. */
const day = 24 * hour;

export function trailState(redis: Redis, channel: string, prefix = 'panelops:'): TrailState {
  const key = `${prefix}trail:${channel}`;
  const countKey = `${key}:counted`;
  let at: number | undefined;
  let closed = false;
  // What this process saw holds for itself; while Redis is away, the others go by what they know.
  const tell = (facts: Record<string, string>): Promise<void> => redis.hset(key, facts).then(done, done);
  const done = (): void => undefined;
  return {
    at: () => at,
    closed: () => closed,
    async reached(seq) {
      at = seq;
      closed = false;
      await tell({ at: String(seq), closed: '0' });
    },
    async refused() {
      closed = true;
      await tell({ closed: '1' });
    },
    async load() {
      const known = await redis.hgetall(key);
      if (known.at !== undefined) at = Number(known.at);
      if (known.closed !== undefined) closed = known.closed === '1';
    },
    claim: async (what) => (await redis.set(`${key}:heard:${what}`, '1', 'EX', hour, 'NX')) === 'OK',
    counted: () => redis.hgetall(countKey),
    async count(entry, n) {
      await redis.hset(countKey, entry, n);
      await redis.expire(countKey, day);
    },
  };
}
