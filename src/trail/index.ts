import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { Message } from './compare.ts';
import type { TrailDesk, TrailWatch } from './desk.ts';
import type { TrailMemory } from './memory.ts';
import { beginOf, type Posted, type Reach } from './place.ts';
import { createPoster } from './poster.ts';
import { createQueue } from './queue.ts';
import { postedIn } from './reader.ts';
import { trailState } from './state.ts';
import { createTamper } from './tamper.ts';
import { createWaiting } from './waiting.ts';

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
  /** How many pages of a hundred messages are read at most. */
  pages?: number;
  /** Left out where Redis keeps what it is told. */
  memory?: TrailMemory;
  now?(): number;
  log: Log;
}

/** The ledger on its way to the audit channel. */
export interface TrailPost {
  /** From here on, what is recorded is posted. Resolves when it is known where the trail goes on, until which nothing may change. */
  begin(): Promise<void>;
  /** Something was recorded. */
  wake(): void;
  /** Why nothing may change. */
  trouble(): 'trail-behind' | 'trail-closed' | undefined;
  /** The same in a sentence that names the channel, and what the bot lacks there. */
  words(): string | undefined;
  /** How far the trail is, as far as this process knows. */
  reach(): Reach | undefined;
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

function troubleWords(
  reason: 'trail-behind' | 'trail-closed',
  channel: string,
  hindrance: ReturnType<TrailWatch['hindrance']>,
  isRead: boolean,
): string {
  if (reason === 'trail-behind' && !isRead) return `How far the trail is in <#${channel}> could not be read yet.`;
  if (reason === 'trail-behind') return `What was recorded has not reached <#${channel}>.`;
  if (hindrance?.kind === 'gone') return `The audit channel <#${channel}> was deleted.`;
  if (hindrance?.kind === 'lacks') return `Missing in <#${channel}>: ${hindrance.rights.join(', ')}.`;
  return `Discord refuses the bot in <#${channel}>.`;
}

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
  const tamper = createTamper({ ...shared, known, since: Date.parse(ledger.entries().at(-1)?.time ?? '') || now() });
  const poster = createPoster({
    ...{ ...shared, redis: parts.redis.producer, know, intervals, missed: tamper.missed },
    ...(parts.pages === undefined ? {} : { pages: parts.pages }),
    ...(parts.memory === undefined ? {} : { memory: parts.memory }),
    sure(known) {
      isRead = known;
      if (known) tellRead();
    },
  });
  const queue = createQueue(parts.redis, channel, poster.pump, log);
  const waiting = createWaiting(now);
  let isRead = false;
  let tellRead = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    tellRead = resolve;
  });
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
    waiting.saw(ledger.entries().length);
    if (!isRead || poster.isDue() || state.closed() || isBehind()) wake();
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

  function isLate(): boolean {
    const entries = ledger.entries();
    // Nothing was ever for this channel.
    if (beginOf(entries, channel) === undefined) return false;
    // Without knowing what is there, nobody can say that nothing waits.
    const at = state.at();
    if (!isRead || at === undefined) return true;
    waiting.saw(entries.length);
    const oldest = entries[at];
    return oldest !== undefined && waiting.of(oldest) > intervals.patience;
  }

  function trouble(): ReturnType<TrailPost['trouble']> {
    if (state.closed() || watch?.hindrance() !== undefined) return 'trail-closed';
    return isLate() ? 'trail-behind' : undefined;
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
      waiting.saw(ledger.entries().length);
      // Not by the queue: the job of a killed process keeps it waiting for seconds.
      void state
        .load()
        .catch(() => undefined)
        .then(poster.pump);
      timer = setInterval(lookAgain, intervals.look);
      return read;
    },
    wake,
    trouble,
    words() {
      const reason = trouble();
      return reason === undefined ? undefined : troubleWords(reason, channel, watch?.hindrance(), isRead);
    },
    reach() {
      const [seq, message] = [state.at(), state.last()];
      return seq === undefined || message === undefined ? undefined : { channel, message, seq };
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
