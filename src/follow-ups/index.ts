import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Card } from '../card.ts';
import type { Followed, FollowUpsFace } from '../command.ts';
import type { Ledger, RunState } from '../ledger/ledger.ts';
import type { Actor, End, Log } from '../outcome.ts';
import { endedCard, nothing, type Offers } from './cards.ts';
import { conclude, record } from './conclude.ts';
import { entryOf, type FollowUp, find, followUpOf } from './follow-up.ts';
import { groupCard } from './group.ts';
import { createQueue, createWorker } from './queue.ts';
import { blindAfter, nothingSeen, type Seen } from './seen.ts';
import { createShower, type ShowerParts } from './shower.ts';
import type { Source } from './source.ts';
import { cardOf, type Intervals, type Next, type Watching, watch } from './watch.ts';

export interface FollowUpParts {
  ledger: Pick<Ledger, 'append' | 'runs' | 'refresh' | 'following'>;
  /** Connections of BullMQ: one that fails fast, and, where this process looks, one that waits. */
  redis: { producer: Redis; worker?: Redis };
  source: Source;
  /** What is followed, and for how long at most, in ms. */
  follows: { restore: boolean; power: boolean; deadline: number };
  /** Whether the panel offers a read of restores at all. */
  readable: boolean;
  desk: ShowerParts['desk'];
  /** What can be done about the runs of a card; nothing when left out. */
  offers?(states: readonly RunState[]): Offers;
  /** After an end was recorded: cards before it may have to say something else. Never rejects. */
  retire?(stem: string): Promise<void>;
  /** `deadline` in the place of that of `follows`. */
  intervals?: Partial<Intervals & { edit: number; deadline: number }>;
  now?(): number;
  random?(): number;
  log: Log;
}

export interface FollowUps extends FollowUpsFace {
  /** What does not work as configured, in a sentence each. */
  troubles(): readonly string[];
  /** Until when a job is followed that begins now, in ms; undefined: such jobs are not followed. */
  deadline(follow: FollowUp['follow']): number | undefined;
  /** Watches what the ledger says is followed. Again whenever Redis may have lost something; never rejects. */
  reconcile(): Promise<void>;
  /** Ends the one of a run because a person says so. False: it is over already, or none of ours. */
  say(run: string, end: End, by: Actor): Promise<boolean>;
  /** The card of what an invocation has followed, as it is now; undefined: it has nothing. Never rejects. */
  card(stem: string): Promise<Card | undefined>;
  close(): Promise<void>;
}

const usual: Intervals & { edit: number } = {
  first: 5_000,
  most: 60_000,
  reminders: [15, 60, 240].map((minutes) => minutes * 60_000),
  shutdown: 120_000,
  again: 5_000,
  edit: 15_000,
};

/** Follows jobs of the panel to their end. The ledger is the truth; BullMQ only wakes. */
export function createFollowUps(parts: FollowUpParts): FollowUps {
  const { ledger, source, desk, log, now = Date.now, random = Math.random, offers = () => nothing } = parts;
  const { retire = () => Promise.resolve() } = parts;
  const intervals = { ...usual, ...parts.intervals };
  const shower = createShower({ ledger, desk, every: intervals.edit, now, log });
  const watching: Watching = { ledger, source, desk, shower, offers, retire, intervals, now, random, log };
  const queue = createQueue(parts.redis.producer, log);
  const turns = new Set<Promise<Next>>();
  let closing = false;
  const take = (run: string, seen: Seen): Promise<Next> => {
    // BullMQ may still hand over a job that it had asked for.
    if (closing) return Promise.resolve({ at: now(), seen });
    const turn = watch(watching, run, seen).finally(() => turns.delete(turn));
    turns.add(turn);
    return turn;
  };
  const worker = parts.redis.worker === undefined ? undefined : createWorker(parts.redis.worker, take, log);

  const following = (): FollowUp[] => ledger.following().flatMap((state) => followUpOf(state) ?? []);
  const open = async (id: string): Promise<FollowUp | undefined> => {
    await ledger.refresh();
    return following().find((each) => each.id === id && each.ended === undefined);
  };

  async function say(run: string, end: End, by: Actor): Promise<boolean> {
    await ledger.refresh();
    const followUp = find(ledger, run);
    if (followUp === undefined || followUp.ended !== undefined) return false;
    if (!(await record(watching, followUp, { end, by }))) return false;
    // It is recorded: where this is cut short, the job goes on with it.
    await conclude(watching, run, false).catch((error: unknown) => {
      log.warn({ followUp: followUp.id, problem: String(error) }, 'an end has to be shown later');
    });
    await queue.wake(followUp.id).catch(() => undefined);
    return true;
  }

  async function card(stem: string): Promise<Card | undefined> {
    const states = ledger.runs(stem);
    const all = states.flatMap((state) => followUpOf(state) ?? []);
    const followUp = all.find(({ ended }) => ended === undefined) ?? all[0];
    if (followUp === undefined) return undefined;
    if (followUp.ended !== undefined)
      return followUp.width > 1
        ? groupCard(states, [], offers(states))
        : endedCard(followUp, followUp.ended, offers(states));
    if (followUp.follow === 'restore' && !parts.readable) return cardOf(watching, followUp, 'no-read');
    return cardOf(watching, followUp, (await queue.seen(followUp.id).catch(() => undefined)) ?? nothingSeen);
  }

  return {
    deadline(follow) {
      // What is known to be missing is not begun with. A restore is: people say how it ended.
      const followed = parts.follows[follow] && !(follow === 'power' && source.unreadable(follow));
      return followed ? now() + (parts.intervals?.deadline ?? parts.follows.deadline) : undefined;
    },
    async reconcile() {
      try {
        await source.hear();
        await ledger.refresh();
        for (const followUp of following()) {
          await queue.add(followUp);
          // A person said so, and the process that heard it is no more: its job may be hours away.
          if (followUp.ended !== undefined) await queue.wake(followUp.id);
        }
      } catch (error) {
        log.warn({ problem: String(error) }, 'follow-ups could not be put into the queue yet');
      }
    },
    async list(server) {
      await ledger.refresh();
      const shown = following().filter(
        (each) => each.ended === undefined && (server === undefined || each.server.id === server),
      );
      return Promise.all(
        shown.map(async (each) =>
          followedOf(each, await queue.seen(each.id).catch(() => undefined), each.follow === 'power' || parts.readable),
        ),
      );
    },
    async stop(id, actor) {
      const followUp = await open(id);
      return followUp !== undefined && say(followUp.run, 'stopped', actor);
    },
    say,
    async handOver(id, to, actor) {
      const followUp = await open(id);
      if (followUp === undefined) return false;
      try {
        await ledger.append([{ ...entryOf(followUp, actor), step: 'handed-over', to }]);
      } catch (error) {
        if (find(ledger, followUp.run)?.ended === undefined) throw error;
        return false;
      }
      // So that the card says so.
      await queue.wake(id).catch(() => undefined);
      return true;
    },
    card,
    troubles: () => source.troubles(),
    async close() {
      closing = true;
      shower.close();
      await worker?.close();
      // Panel, Discord and ledger are closed next, under whatever turn still needs them.
      await Promise.race([Promise.all(turns), delay(1_000)]);
      await queue.close();
    },
  };
}

/** What people are shown of a follow-up. */
function followedOf(followUp: FollowUp, seen: Seen | undefined, readable: boolean): Followed {
  const { id, command, server, requester, notify, place, card, started } = followUp;
  const { word, progress, at, failures = 0 } = seen ?? {};
  return {
    id,
    command,
    server,
    startedBy: requester,
    notify,
    card: { ...place, message: card },
    since: started,
    ...(word === undefined || at === undefined
      ? {}
      : { seen: { word, at, ...(progress === undefined ? {} : { progress }) } }),
    ...(failures >= blindAfter ? { blindSince: at ?? started } : {}),
    ...(readable ? {} : { unreadable: true as const }),
  };
}
