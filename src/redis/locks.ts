import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { RedisUnavailable } from '../outcome.ts';

const leaseHolder = z.object({ run: z.string(), who: z.string(), command: z.string(), since: z.number() });
/** Who holds a server: the run, who asked for it, the command, and since when (ms). */
export type LeaseHolder = z.infer<typeof leaseHolder>;

export interface Lease {
  /** Lets the server go if it is still held; while Redis is away, as soon as it is back. Never throws. */
  release(): Promise<void>;
  /** True once the lease may have passed to somebody else. */
  lost(): boolean;
}

export interface Locks {
  /** True for the first who claims an interaction, for an hour; rejects with RedisUnavailable. */
  claim(interaction: string, owner: string): Promise<boolean>;
  /** Who has claimed an interaction in the last hour; rejects with RedisUnavailable. */
  claimant(interaction: string): Promise<string | undefined>;
  /** Takes the one lease of a server and keeps it until released, or names who has it; rejects with RedisUnavailable. */
  lease(server: number, holder: LeaseHolder): Promise<{ held: Lease } | { by: LeaseHolder }>;
}

export interface LockOptions {
  prefix?: string;
  /** How long a lease lives without being renewed, and how often it is renewed, in ms. */
  ttl?: number;
  renewEvery?: number;
  now?: () => number;
}

/** How often what could not be let go is tried again, in ms. */
const retryEvery = 500;

const takeScript = `
local holder = redis.call('GET', KEYS[1])
if holder then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Claims of interactions and leases of servers, shared by all processes on one Redis. */
export function locks(redis: Redis, options: LockOptions = {}): Locks {
  const { prefix = 'panelops:', ttl = 60_000, renewEvery = 20_000, now = Date.now } = options;

  const letGo = (key: string, value: string): Promise<boolean> =>
    redis.eval(releaseScript, 1, key, value).then(
      () => true,
      () => false,
    );

  /** Lets go of what may be held, now or when Redis is back. Nobody else's lease can have the same value. */
  async function drop(key: string, value: string, until: number): Promise<void> {
    if (await letGo(key, value)) return;
    const timer = setInterval(async () => {
      if (now() >= until || (await letGo(key, value))) clearInterval(timer);
    }, retryEvery).unref();
  }

  const claimOf = (interaction: string) => `${prefix}claim:${interaction}`;

  /** What this process is at. A Redis that comes back empty has forgotten the leases; the requests are on their way all the same. */
  const here = new Map<number, LeaseHolder>();

  /** Renews the lease until it is released or lost. `taken` is from before the command went out, so it errs on the safe side. */
  function keep(server: number, key: string, value: string, taken: number): Lease {
    let good = taken + ttl;
    let gone = false;
    const renew = async () => {
      const sent = now();
      try {
        if ((await redis.eval(renewScript, 1, key, value, ttl)) === 1) good = sent + ttl;
        else stop();
      } catch {
        // Redis does not answer: the next turn tries again, and `lost` goes by the clock.
      }
    };
    const timer = setInterval(renew, renewEvery).unref();
    const stop = () => {
      gone = true;
      clearInterval(timer);
    };
    return {
      async release() {
        stop();
        here.delete(server);
        await drop(key, value, good);
      },
      lost: () => gone || now() >= good,
    };
  }

  return {
    async claim(interaction, owner) {
      return (await answer(redis.set(claimOf(interaction), owner, 'EX', 3600, 'NX'))) === 'OK';
    },
    async claimant(interaction) {
      return (await answer(redis.get(claimOf(interaction)))) ?? undefined;
    },
    async lease(server, holder) {
      const by = here.get(server);
      if (by !== undefined) return { by };
      here.set(server, holder);
      const key = `${prefix}lease:${server}`;
      // The token tells two leases of the same run apart.
      const value = JSON.stringify({ ...holder, token: randomUUID() });
      const taken = now();
      try {
        const other = await answer(redis.eval(takeScript, 1, key, value, ttl));
        if (other === null) return { held: keep(server, key, value, taken) };
        here.delete(server);
        return { by: holderIn(other) };
      } catch (error) {
        here.delete(server);
        // A frozen Redis does what it was told once it goes on, when nobody wants it any more.
        await drop(key, value, taken + 2 * ttl);
        throw error;
      }
    },
  };
}

function holderIn(stored: unknown): LeaseHolder {
  try {
    return leaseHolder.parse(JSON.parse(String(stored)));
  } catch (error) {
    throw new RedisUnavailable(error);
  }
}

async function answer<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw new RedisUnavailable(error);
  }
}
