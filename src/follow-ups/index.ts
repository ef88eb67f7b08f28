import type { Redis } from 'ioredis';
import type { JobLook } from '../cards/render/known.ts';
import type { Followed } from '../command.ts';
import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, End, Log } from '../outcome.ts';
import type { Following } from '../run/parts.ts';
import { begunAt, type FollowUp, followUpEntry, followUpOf, jobOf } from '../runs/follow-up.ts';
import { createLooks, type Looks } from './looks.ts';
import { createQueue, createWorker } from './queue.ts';
import { nothingSeen, type Seen } from './seen.ts';
import type { Source } from './source.ts';
import { type Intervals, type Next, record, unlessRefused, watch } from './watch.ts';

export interface FollowUpParts {
  ledger: Pick<Ledger, 'append' | 'run' | 'refresh' | 'following' | 'unfollowed' | 'subscribe'>;
  /** Connections of BullMQ: one that fails fast, and, where this process looks, one that waits. */
  redis: { producer: Redis; worker?: Redis };
  source: Source;
  /** What is followed, and for how long at most, in ms. */
  follows: { restore: boolean; power: boolean; deadline: number };
  /** Whether the panel offers a read of restores at all. */
  readable: boolean;
  /** A look brought news: the card is drawn again soon. */
  changed(invocationId: string): void;
  /** After how many ms a job of this command takes longer than usual; undefined: that is not said of it. */
  stuckAfter(command: string): number | undefined;
  /** `deadline` in the place of that of `follows`. */
  intervals?: Partial<Intervals & { deadline: number }>;
  now?(): number;
  random?(): number;
  log: Log;
}

export interface FollowUps extends Following {
  /** Watches all that the ledger says is followed. Never rejects. */
  reconcile(): Promise<void>;
  /** What was last seen of the job of a run; undefined: nothing is known, or it is not followed any more. Never rejects. */
  lookOf(run: string): Promise<JobLook | undefined>;
  close(): Promise<void>;
}

const usual: Intervals = { first: 5_000, most: 60_000, retry: 5_000 };

/** Follows jobs of the panel to their end. The ledger is the truth; BullMQ only wakes, and nothing waits for it. */
export function createFollowUps(parts: FollowUpParts): FollowUps {
  const { ledger, source, follows, now = Date.now, random = Math.random, log } = parts;
  const intervals = { ...usual, ...parts.intervals };
  const queue = createQueue(parts.redis.producer, log);
  const looks = createLooks({
    ...{ ledger, readable: parts.readable, stuckAfter: parts.stuckAfter, now },
    ...{ stored: queue.seen, changed: parts.changed, fresh: 2 * intervals.most },
  });
  const watching = { ...parts, intervals, now, random, looks };
  const turn = (run: string, seen: Seen): Promise<Next> => watch(watching, run, seen);
  const worker = parts.redis.worker === undefined ? undefined : createWorker(parts.redis.worker, turn, log);

  async function enqueue(which: () => FollowUp[] | Promise<FollowUp[]>, seen: Seen): Promise<void> {
    try {
      for (const followUp of await which()) await queue.add(followUp, seen);
    } catch (error) {
      log.warn({ problem: String(error) }, 'follow-ups could not be put into the queue yet');
    }
  }

  // Not waited for: what is followed stands in the ledger, and is put into the queue again and again.
  ledger.subscribe((entry, own) => {
    if (own && entry.kind === 'follow-up' && entry.step === 'started')
      void enqueue(() => [followUpOf(ledger.run(entry.run)) ?? []].flat(), nothingSeen);
  });
  return {
    ...people(ledger, looks),
    deadline(follow) {
      // What is known to be missing is not begun with. A restore is: people say how it ended.
      const isFollowed = follows[follow] && !(follow === 'power' && source.unreadable(follow));
      return isFollowed ? now() + (intervals.deadline ?? follows.deadline) : undefined;
    },
    reconcile: () =>
      enqueue(
        async () => {
          await ledger.refresh();
          return open(ledger);
        },
        { ...nothingSeen, since: now() },
      ),
    lookOf: looks.of,
    troubles: () => source.troubles(),
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
}

const isOpen = ({ followUp }: FollowUp): boolean => followUp.ended === undefined;

/** What has not ended. */
const open = (ledger: Pick<Ledger, 'following'>): FollowUp[] =>
  ledger
    .following()
    .flatMap((state) => followUpOf(state) ?? [])
    .filter(isOpen);

/** What people see of follow-ups and decide about them. */
function people(
  ledger: FollowUpParts['ledger'],
  looks: Looks,
): Pick<FollowUps, 'list' | 'stop' | 'say' | 'unfollowed' | 'end' | 'handOver'> {
  const unfollowed = (): FollowUp[] => ledger.unfollowed().flatMap((state) => followUpOf(state) ?? []);
  const find = async (id: string, among = () => open(ledger)): Promise<FollowUp | undefined> => {
    await ledger.refresh();
    return among().find(({ followUp }) => jobOf(followUp.started) === id);
  };
  const end = (state: FollowUp | undefined, how: End, by: Actor): Promise<boolean> =>
    state === undefined ? Promise.resolve(false) : record(ledger, state, { end: how }, by);
  return {
    async list(server) {
      await ledger.refresh();
      const shown = open(ledger).filter(
        ({ followUp }) => (server ?? followUp.started.server.id) === followUp.started.server.id,
      );
      return Promise.all(shown.map(async (each) => followedOf(each, await looks.of(each.run))));
    },
    async unfollowed(server) {
      await ledger.refresh();
      const shown = unfollowed().filter(({ followUp }) => followUp.started.server.id === server);
      return shown.map((each) => followedOf(each, undefined));
    },
    end: async (id, how, by) => end(await find(id, unfollowed), how, by),
    stop: async (id, by) => end(await find(id), 'stopped', by),
    async say(run, how, by) {
      await ledger.refresh();
      return end(followUpOf(ledger.run(run)), how, by);
    },
    async handOver(id, to, by) {
      const state = await find(id);
      if (state === undefined) return false;
      const entry = followUpEntry(state.followUp, by, state.followUp.card);
      return unlessRefused(ledger.append([{ ...entry, step: 'handed-over', to }]));
    },
  };
}

/** What people are shown of a follow-up. */
function followedOf(state: FollowUp, look: JobLook | undefined): Followed {
  const { started, notify, card } = state.followUp;
  const { command, server, actor, place } = started;
  const since = begunAt(state, started);
  const about = {
    ...{ id: jobOf(started), command, server, startedBy: actor, notify, since },
    card: { guild: place.guild, channel: place.channel, message: card },
  };
  if (look === 'no-read') return { ...about, unreadable: true };
  const { word, progress, at, blind, since: watchedSince } = look ?? {};
  return {
    ...about,
    ...(word === undefined || at === undefined ? {} : { seen: { word, at, ...defined({ progress }) } }),
    ...(blind === true ? { blindSince: at ?? watchedSince ?? since } : {}),
    ...defined({ watchedSince }),
  };
}
