import type { Redis } from 'ioredis';

/** How far the trail is in its channel, for all processes on one Redis: only one of them posts. */
export interface TrailState {
  /** The last entry that is in the channel, by `seq`; undefined while nobody knows. */
  at(): number | undefined;
  /** The channel's newest message of the trail, by id, when that was so. */
  last(): string | undefined;
  /** Whether the channel refused the bot, the last time that it was tried. */
  closed(): boolean;
  /** The channel took or showed everything up to that entry. */
  reached(seq: number, message?: string): Promise<void>;
  /** The same for this process alone: it has read the channel, and not written there. */
  found(seq: number, message?: string): void;
  refused(): Promise<void>;
  /** Takes in what another process knows. */
  load(): Promise<void>;
  /** True for the first process that hears of something, for seconds: a killed one keeps nobody from telling. Rejects when Redis does not answer. */
  claim(what: string): Promise<boolean>;
  /** The claim goes on: for an hour where it is told, else for seconds more. */
  hold(what: string, told: boolean): Promise<void>;
  /** How many deletions have been put down to each entry of Discord's audit log. Rejects when Redis does not answer. */
  counted(): Promise<Readonly<Record<string, string>>>;
  count(entry: string, n: number): Promise<void>;
}

/** In seconds. */
const hour = 3_600;
const soon = 10;
/** Discord goes on with an entry of its audit log for five minutes. */
const day = 24 * hour;

export function trailState(redis: Redis, channel: string, prefix = 'panelops:'): TrailState {
  const key = `${prefix}trail:${channel}`;
  const countKey = `${key}:counted`;
  const heard = (what: string): string => `${key}:heard:${what}`;
  let at: number | undefined;
  let last: string | undefined;
  let closed = false;
  /** How often this process has seen for itself. */
  let seen = 0;
  // What this process saw holds for itself; while Redis is away, the others go by what they know.
  const tell = (facts: Record<string, string>): Promise<void> => redis.hset(key, facts).then(done, done);
  const done = (): void => undefined;
  return {
    at: () => at,
    last: () => last,
    closed: () => closed,
    async reached(seq, message) {
      seen += 1;
      at = seq;
      last = message;
      closed = false;
      await tell({ at: String(seq), last: message ?? '', closed: '0' });
    },
    found(seq, message) {
      seen += 1;
      at = seq;
      last = message;
    },
    async refused() {
      seen += 1;
      closed = true;
      await tell({ closed: '1' });
    },
    async load() {
      const before = seen;
      const known = await redis.hgetall(key);
      // An answer from before is no news.
      if (seen !== before) return;
      if (known.at !== undefined) {
        at = Number(known.at);
        last = known.last || undefined;
      }
      if (known.closed !== undefined) closed = known.closed === '1';
    },
    claim: async (what) => (await redis.set(heard(what), '1', 'EX', soon, 'NX')) === 'OK',
    hold: (what, told) => redis.set(heard(what), '1', 'EX', told ? hour : soon).then(done, done),
    counted: () => redis.hgetall(countKey),
    async count(entry, n) {
      await redis.hset(countKey, entry, n);
      await redis.expire(countKey, day);
    },
  };
}
