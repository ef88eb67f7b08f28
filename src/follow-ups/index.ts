import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Messages } from '../cards/messages.ts';
import type { JobLook } from '../cards/render/known.ts';
import type { Followed, FollowUpsFace } from '../command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Actor, type End, type Log, RedisUnavailable } from '../outcome.ts';
import { announce, type Cards, unlessRefused } from './announce.ts';
import { entryOf, type FollowUp, find, followUpOf } from './follow-up.ts';
import { createLooks, type Looks } from './looks.ts';
import { createQueue, createWorker, type FollowUpQueue } from './queue.ts';
import { nothingSeen, type Seen } from './seen.ts';
import type { Source } from './source.ts';
import { type Intervals, type Next, record, watch } from './watch.ts';

export type { Cards } from './announce.ts';

export interface FollowUpParts {
  ledger: Pick<Ledger, 'append' | 'run' | 'runs' | 'refresh' | 'following'>;
  /** Connections of BullMQ: one that fails fast, and, where this process looks, one that waits. */
  redis: { producer: Redis; worker?: Redis };
  source: Source;
  /** What is followed, and for how long at most, in ms. */
  follows: { restore: boolean; power: boolean; deadline: number };
  /** Whether the panel offers a read of restores at all. */
  readable: boolean;
  cards: Cards;
  messages: Pick<Messages, 'find' | 'reply'>;
  /** After how many ms a job of this command takes longer than usual; undefined: that is not said of it. */
  stuckAfter(command: string): number | undefined;
  /** `deadline` in the place of that of `follows`. */
  intervals?: Partial<Intervals & { deadline: number }>;
  now?(): number;
  random?(): number;
  log: Log;
}

export interface FollowUps extends FollowUpsFace {
  /** What does not work as configured, in a sentence each. */
  troubles(): readonly string[];
  /** Until when a job is followed that begins now, in ms; undefined: such jobs are not followed. */
  deadline(follow: FollowUp['follow']): number | undefined;
  /** Watches what the ledger says is followed. Again whenever Redis may have lost something, and now and then; never rejects. */
  reconcile(): Promise<void>;
  /** Ends the one of a run because a person says so. False: it is over already, or none of ours. */
  say(run: string, end: End, by: Actor): Promise<boolean>;
  /** What was last seen of the job of a run; undefined: nothing is known, or it is not followed any more. Never rejects. */
  lookOf(run: string): Promise<JobLook | undefined>;
  close(): Promise<void>;
}

const usual: Intervals = {
  first: 5_000,
  most: 60_000,
  reminders: [15, 60, 240].map((minutes) => minutes * 60_000),
  again: 5_000,
};

/** Follows jobs of the panel to their end. The ledger is the truth; BullMQ only wakes, and nothing waits for it. */
export function createFollowUps(parts: FollowUpParts): FollowUps {
  const { ledger, source, follows, now = Date.now, log } = parts;
  const intervals = { ...usual, ...parts.intervals };
  const queue = createQueue(parts.redis.producer, log);
  const looks = createLooks({
    ...{ ledger, readable: parts.readable, stuckAfter: parts.stuckAfter, now },
    ...{ stored: queue.seen, changed: parts.cards.changed, fresh: 2 * intervals.most },
  });
  const turns = createTurns({ ...parts, intervals, now }, looks);
  const worker = parts.redis.worker === undefined ? undefined : createWorker(parts.redis.worker, turns.take, log);
  const here = worker === undefined ? undefined : turns.take;
  return {
    ...people(ledger, looks, (followUp) => void hurry(queue, followUp, here)),
    deadline(follow) {
      // What is known to be missing is not begun with. A restore is: people say how it ended.
      const followed = follows[follow] && !(follow === 'power' && source.unreadable(follow));
      return followed ? now() + (parts.intervals?.deadline ?? follows.deadline) : undefined;
    },
    reconcile: () =>
      reconcile(ledger, queue, here).catch((error: unknown) => {
        log.warn({ problem: String(error) }, 'follow-ups could not be put into the queue yet');
      }),
    lookOf: looks.of,
    troubles: () => source.troubles(),
    async close() {
      turns.stop();
      await worker?.close();
      // Panel, Discord and ledger are closed next, under whatever turn still needs them.
      await Promise.race([turns.rest(), delay(1_000)]);
      await queue.close();
    },
  };
}

type Take = (run: string, seen: Seen) => Promise<Next>;

/** Turns of this process, and the announcements in them: of one run never two at a time. */
function createTurns(
  parts: FollowUpParts & { intervals: Intervals; now(): number },
  looks: Looks,
): { take: Take; stop(): void; rest(): Promise<unknown> } {
  const { random = Math.random, now } = parts;
  const turns = new Set<Promise<Next>>();
  const announcing = new Map<string, Promise<boolean>>();
  let isClosing = false;
  const once = (run: string): Promise<boolean> => {
    const under = announcing.get(run) ?? announce(parts, run).finally(() => announcing.delete(run));
    announcing.set(run, under);
    return under;
  };
  return {
    take(run, seen) {
      // BullMQ may still hand over a job that it had asked for.
      if (isClosing) return Promise.resolve({ at: now(), seen });
      const turn = watch({ ...parts, looks, random, announce: once }, run, seen).finally(() => turns.delete(turn));
      turns.add(turn);
      return turn;
    },
    stop() {
      isClosing = true;
    },
    rest: () => Promise.all(turns),
  };
}

/** What people see of follow-ups and decide about them. `hurry`: what has ended is to be announced soon. */
function people(
  ledger: FollowUpParts['ledger'],
  looks: Looks,
  hurry: (followUp: FollowUp) => void,
): Pick<FollowUps, 'list' | 'stop' | 'say' | 'handOver'> {
  const open = async (): Promise<FollowUp[]> => {
    await ledger.refresh();
    return followed(ledger).filter(({ ended }) => ended === undefined);
  };
  const end = async (followUp: FollowUp | undefined, how: End, by: Actor): Promise<boolean> => {
    if (followUp === undefined || followUp.ended !== undefined) return false;
    const isFirst = await record({ ledger }, followUp, { end: how, by });
    if (isFirst) hurry(followUp);
    return isFirst;
  };
  return {
    async list(server) {
      const shown = (await open()).filter((each) => server === undefined || each.server.id === server);
      return Promise.all(shown.map(async (each) => followedOf(each, await looks.of(each.run))));
    },
    stop: async (id, by) =>
      end(
        (await open()).find((each) => each.id === id),
        'stopped',
        by,
      ),
    async say(run, how, by) {
      await ledger.refresh();
      return end(find(ledger, run), how, by);
    },
    async handOver(id, to, by) {
      const followUp = (await open()).find((each) => each.id === id);
      if (followUp === undefined) return false;
      return unlessRefused(ledger.append([{ ...entryOf(followUp, by, followUp.card), step: 'handed-over', to }]));
    },
  };
}

const followed = (ledger: Pick<Ledger, 'following'>): FollowUp[] =>
  ledger.following().flatMap((state) => followUpOf(state) ?? []);

/** Its next turn is now: that of whoever has its job, or of this process where the queue is away. Whether it is there; never rejects. */
async function hurry(queue: FollowUpQueue, followUp: FollowUp, here: Take | undefined): Promise<boolean> {
  try {
    await queue.add(followUp);
    await queue.wake(followUp.id);
    return true;
  } catch {
    await here?.(followUp.run, nothingSeen);
    return false;
  }
}

async function reconcile(ledger: FollowUpParts['ledger'], queue: FollowUpQueue, here: Take | undefined): Promise<void> {
  await ledger.refresh();
  const all = followed(ledger);
  let isThere = true;
  // A person said so, and the process that heard it is no more: its job may be hours away.
  for (const followUp of all.filter(({ ended }) => ended !== undefined)) {
    if (isThere) isThere = await hurry(queue, followUp, here);
    else await here?.(followUp.run, nothingSeen);
  }
  if (!isThere) throw new RedisUnavailable();
  for (const followUp of all.filter(({ ended }) => ended === undefined)) await queue.add(followUp);
}

/** What people are shown of a follow-up. */
function followedOf(followUp: FollowUp, look: JobLook | undefined): Followed {
  const { id, command, server, requester, notify, place, card, started } = followUp;
  const about = {
    id,
    command,
    server,
    startedBy: requester,
    notify,
    card: { ...place, message: card },
    since: started,
  };
  if (look === 'no-read') return { ...about, unreadable: true };
  const { word, progress, at, blind } = look ?? {};
  return {
    ...about,
    ...(word === undefined || at === undefined
      ? {}
      : { seen: { word, at, ...(progress === undefined ? {} : { progress }) } }),
    ...(blind === true ? { blindSince: at ?? started } : {}),
  };
}
