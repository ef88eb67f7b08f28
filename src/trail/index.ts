import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { Message } from './compare.ts';
import type { TrailDesk, TrailWatch } from './desk.ts';
import { beginOf, type Posted } from './place.ts';
import { createPoster } from './poster.ts';
import { createQueue } from './queue.ts';
import { postedIn } from './reader.ts';
import { trailState } from './state.ts';
import { createTamper } from './tamper.ts';

export interface TrailIntervals {
  /** In ms: from one post to the next; after trouble until the next try; how often is looked whether something waits. */
  between: number;
  again: number;
  look: number;
  /** How long the oldest line may wait before nothing may change any more. */
  patience: number;
}

export interface TrailParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
  /** Connections of BullMQ: one that fails fast, and one that waits. */
  redis: { producer: Redis; worker: Redis };
  desk: TrailDesk;
  /** Left out where nothing is heard of Discord. */
  watch?: TrailWatch;
  channel: string;
  bot: Actor;
  intervals?: Partial<TrailIntervals>;
  now?(): number;
  log: Log;
}

/** The ledger on its way to the audit channel. */
export interface TrailPost {
  /** From here on, what is recorded is posted. */
  begin(): void;
  /** Something was recorded. */
  wake(): void;
  /** Why nothing may change. */
  trouble(): 'trail-behind' | 'trail-closed' | undefined;
  /** Posts what is left, as far as Discord takes it within two seconds, and ends. */
  close(): Promise<void>;
}

const usual: TrailIntervals = { between: 1_000, again: 3_000, look: 1_000, patience: 5 * 60_000 };
/** How long the last lines have at a stop, in ms. */
const lastWords = 2_000;
/** How soon a Redis answers that is not frozen, in ms. Without it nobody has the turn to post. */
const soon = 300;
/** So many messages are known by their ids; Discord tells of a deleted message nothing else. */
const remembered = 10_000;

const answers = (redis: Redis): Promise<boolean> => {
  const pong = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([pong, delay(soon, false, { ref: false })]);
};

/** Posts the ledger to its channel, once and in order, and hears of it when somebody changes what is there. */
export function createTrail(parts: TrailParts): TrailPost {
  const { ledger, desk, watch, channel, bot, log, now = Date.now } = parts;
  const intervals = { ...usual, ...parts.intervals };
  const state = trailState(parts.redis.producer, channel);
  const known = new Map<string, Posted>();
  const know = (posted: Posted): void => {
    known.set(posted.message, posted);
    const [oldest] = known.keys();
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
  };
  const heard: TrailParts['ledger'] = {
    ...ledger,
    async append(entries) {
      const recorded = await ledger.append(entries);
      wake();
      return recorded;
    },
  };
  const shared = { ledger: heard, desk, channel, bot, state, log };
  const poster = createPoster({ ...shared, redis: parts.redis.producer, know, intervals });
  const tamper = createTamper({ ...shared, known });
  const queue = createQueue(parts.redis, poster.pump, log);
  const bornAt = now();
  let waking = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  function wake(): void {
    if (waking) return;
    waking = true;
    void queue.wake().finally(() => {
      waking = false;
    });
  }
  const isBehind = (): boolean => (state.at() ?? -1) < ledger.entries().length;

  /** What has been missed: entries of a process that is no more, or a job that went with Redis. */
  async function look(): Promise<void> {
    await ledger.refresh();
    await state.load();
    if (poster.isDue() || state.closed() || isBehind()) wake();
  }

  function lookAgain(): void {
    if (looking) return;
    looking = true;
    look()
      // That Redis is away, or the ledger cannot be read, is in the log already.
      .catch((error: unknown) => log.debug({ problem: String(error) }, 'nobody looked whether the trail waits'))
      .finally(() => {
        looking = false;
      });
  }

  /** Since when the oldest entry waits that is not in the channel, in ms. */
  function waitingSince(): number | undefined {
    const at = state.at();
    // While nobody knows what is there, whatever was before this process counts as posted.
    if (at === undefined) return beginOf(ledger.entries(), channel) === undefined ? undefined : bornAt;
    const oldest = ledger.entries()[at];
    return oldest === undefined ? undefined : Date.parse(oldest.time);
  }

  watch?.listen({
    posted: (message: Message) => postedIn([message]).forEach(know),
    deleted: (messages) => tamper.deleted(messages),
    edited: (message, at) => tamper.edited(message, at),
    ready() {
      tamper.begin();
      poster.compareAgain();
      wake();
    },
  });

  return {
    begin() {
      wake();
      timer = setInterval(lookAgain, intervals.look);
    },
    wake,
    trouble() {
      if (state.closed() || watch?.isClosed() === true) return 'trail-closed';
      const since = waitingSince();
      return since !== undefined && now() - since > intervals.patience ? 'trail-behind' : undefined;
    },
    async close() {
      clearInterval(timer);
      if (await answers(parts.redis.producer))
        await Promise.race([poster.finish(), delay(lastWords, undefined, { ref: false })]);
      poster.close();
      await Promise.race([tamper.close(), delay(lastWords / 4, undefined, { ref: false })]);
      await queue.close();
    },
  };
}
