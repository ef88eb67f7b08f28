import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { RedisUnavailable } from '../outcome.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const server = z.object({ id: z.number(), name: z.string().exactOptional(), tier: z.string().exactOptional() });

const question = z.object({
  /** 128 random bits in base64url: 22 characters. */
  id: z.string().regex(/^[\w-]{22}$/),
  stem: z.string(),
  runs: z.array(
    z.object({
      run: z.string(),
      server: server.exactOptional(),
      /** What was read for this server before asking. */
      facts: z.record(z.string(), scalar).exactOptional(),
    }),
  ),
  requester: z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()).readonly() }),
  place: z.object({
    guild: z.string(),
    channel: z.string(),
    parent: z.string().exactOptional(),
    message: z.string(),
  }),
  command: z.string(),
  options: z.record(z.string(), scalar).readonly(),
  /** The stem of the invocation that it is to undo. */
  undoes: z.string().exactOptional(),
  /** What must be typed to confirm. */
  typed: z.string().exactOptional(),
  /** When it lapses, in ms. */
  expires: z.number(),
});

const taker = z.object({ who: z.string(), what: z.enum(['confirmed', 'cancelled', 'expired']), at: z.number() });

/** A pending confirmation: what would be done, to what, who asked, where, and until when. */
export type Question = z.infer<typeof question>;

/** Who ended a question, how, and when (ms). */
export type Taker = z.infer<typeof taker>;

/** Everything here rejects with RedisUnavailable when Redis fails. */
export interface Questions {
  put(question: Question): Promise<void>;
  /** The question, or undefined when there is none that can be read: taken, never put, or altered beyond its shape. */
  get(id: string): Promise<Question | undefined>;
  /** A keyed hash of all of the question, 22 characters: `id.seal` is what a button carries. */
  seal(question: Question): string;
  matches(question: Question, seal: string): boolean;
  /**
   * Ends a question, once over all processes; the others learn who was faster, for an hour. A question that is stored
   * otherwise than it is given here is not taken, nor is one confirmed after its expiry.
   */
  take(question: Question, by: Taker): Promise<{ taken: true } | { taken: false; by?: Taker }>;
  /** Who ended a question in the last hour. */
  gone(id: string): Promise<Taker | undefined>;
  /** Questions that lapsed by `now` (ms) and were not taken, oldest first. */
  due(now: number): Promise<Question[]>;
  /** Puts those back that are neither there nor ended in the last hour. */
  restore(questions: readonly Question[]): Promise<void>;
}

export interface QuestionOptions {
  prefix?: string;
  now?: () => number;
}

/** The key of the buttons' hashes, 32 bytes derived from the bot's token, so that it is never stored. */
export function questionKey(discordToken: string): Buffer {
  return Buffer.from(hkdfSync('sha256', discordToken, '', 'panelops question buttons', 32));
}

const tombstoneSeconds = 3600;

// A question has no time to live: it must outlast its expiry until somebody has said so on its card.
const storeScript = `
if redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
return 1`;

const takeScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {0, redis.call('GET', KEYS[3])} end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('SET', KEYS[3], ARGV[3], 'EX', ARGV[4])
return {1, false}`;

/** Pending confirmations in Redis, shared by all processes that have the same key. */
export function questions(redis: Redis, key: Buffer, options: QuestionOptions = {}): Questions {
  const { prefix = 'panelops:', now = Date.now } = options;
  const pending = `${prefix}question:`;
  const dueKey = `${prefix}questions-due`;
  const keysOf = (id: string) => [`${pending}${id}`, dueKey, `${prefix}question-gone:${id}`] as const;

  const store = (one: Question) =>
    answer(redis.eval(storeScript, 3, ...keysOf(one.id), textOf(one), one.expires, one.id));

  const seal = (one: Question) =>
    createHmac('sha256', key).update(textOf(one)).digest().subarray(0, 16).toString('base64url');

  return {
    async put(one) {
      await store(one);
    },
    async get(id) {
      return readQuestion(id, await answer(redis.get(keysOf(id)[0])));
    },
    seal,
    matches(one, given) {
      const [expected, actual] = [Buffer.from(seal(one)), Buffer.from(given)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
    async take(one, by) {
      if (by.what === 'confirmed' && now() >= one.expires) return { taken: false };
      const tombstone = JSON.stringify(by);
      const args = [textOf(one), one.id, tombstone, tombstoneSeconds] as const;
      const [taken, other] = takeAnswer.parse(await answer(redis.eval(takeScript, 3, ...keysOf(one.id), ...args)));
      if (taken === 1) return { taken: true };
      const faster = readTaker(other);
      return faster ? { taken: false, by: faster } : { taken: false };
    },
    async gone(id) {
      return readTaker(await answer(redis.get(keysOf(id)[2])));
    },
    async due(until) {
      const ids = await answer(redis.zrangebyscore(dueKey, '-inf', until));
      if (ids.length === 0) return [];
      const texts = await answer(redis.mget(ids.map((id) => `${pending}${id}`)));
      const lapsed: Question[] = [];
      const unreadable: string[] = [];
      ids.forEach((id, at) => {
        const one = readQuestion(id, texts[at] ?? null);
        if (one) lapsed.push(one);
        else unreadable.push(id);
      });
      if (unreadable.length > 0) {
        await answer(redis.del(unreadable.map((id) => `${pending}${id}`)));
        await answer(redis.zrem(dueKey, ...unreadable));
      }
      return lapsed;
    },
    async restore(several) {
      for (const one of several) await store(one);
    },
  };
}

const takeAnswer = z.tuple([z.number(), z.string().nullable()]);

/** One text for one question, whatever order its keys came in and whatever else they came with: `seal` and `take` go by it. */
function textOf(one: Question): string {
  return JSON.stringify(question.parse(one), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function readQuestion(id: string, text: string | null): Question | undefined {
  const one = readJson(question, text);
  return one?.id === id ? one : undefined;
}

const readTaker = (text: string | null) => readJson(taker, text);

function readJson<T>(schema: z.ZodType<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function answer<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw new RedisUnavailable(error);
  }
}
