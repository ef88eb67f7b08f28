import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { JobLook } from '../cards/render/parts.ts';
import type { Followed } from '../command.ts';
import type { FollowUpState } from '../health/vitals.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Actor, End, Log } from '../outcome.ts';
import { begunAt, type FollowUp, followUpEntry, followUpOf, jobOf } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';
import { isGlass } from '../runs/state.ts';
import type { Following } from '../shell/parts.ts';
import { pauses, toldOnce } from '../waits.ts';
import { type Canary, canaryEvery, createCanary } from './canary.ts';
import type { createWorker, FollowUpQueue } from './queue.ts';
import { createLooks, type Looks } from './seen.ts';
import type { Source } from './source.ts';
import { createWatcher, type Intervals, record, unlessRefused } from './watch.ts';

export interface FollowUpParts {
  ledger: Pick<Ledger, 'append' | 'run' | 'following' | 'unfollowed' | 'subscribe'>;
  /** Until there is a Redis, it is as if it were away. A rejection says that the process stops before. */
  redis: Promise<Connections>;
  source: Source;
  /** Which kinds of jobs to follow under the current policy, and for how long at most, in ms. */
  follows(): { restore: boolean; power: boolean; deadline: number };
  readable(): boolean;
  /** Called when a look brought news, so that the card is redrawn. */
  changed(invocationId: string): void;
  /** After how many ms a job of this command counts as stuck. Undefined if never. */
  stuckAfter(command: string): number | undefined;
  /** In ms. `deadline` replaces that of `follows`; `canary`: how often the canary is due. */
  intervals?: Partial<Intervals & { deadline: number; canary: number }>;
  now?(): number;
  random?(): number;
  observe?: Pick<Observe, 'within'>;
  log: Log;
}

export interface FollowUps extends Following {
  /** Queues every open follow-up in the ledger, and the canary. Never rejects. */
  reconcile(): Promise<void>;
  /** What was last seen of a run's job. Undefined if nothing is known or it is no longer followed. */
  lookOf(run: string): JobLook | undefined;
  /** The state of each open follow-up. `since`: its start, in ms. */
  states(): { state: FollowUpState; since: number }[];
  /** When a worker of any process last took the canary, in ms. Undefined if unknown. Never rejects. */
  lastCanary(): Promise<number | undefined>;
  close(): Promise<void>;
}

const defaults = { first: 5_000, most: 60_000, retry: 5_000, canary: canaryEvery };

/** Follows jobs of the panel to their end. BullMQ hands out each once; what it holds comes from the ledger. */
export function createFollowUps(parts: FollowUpParts): FollowUps {
  const { ledger, source, now = Date.now, random = Math.random, log } = parts;
  const intervals = { ...defaults, ...parts.intervals };
  const looks = createLooks({ ...parts, now });
  const trouble = toldOnce(log, 'a turn of a follow-up failed: will retry');
  const watcher = createWatcher({
    ...{ ...parts, intervals, now, random, looks, trouble },
    within: (run, turn) => parts.observe?.within(invocationOf(run), turn) ?? turn(),
  });
  const redis = connected(parts, watcher.follow, now, () => void reconcile());

  const queueing = toldOnce(log, 'cannot queue follow-ups yet: will retry');
  async function enqueue(which: () => FollowUp[]): Promise<void> {
    try {
      for (const followUp of which()) await redis.now()?.queue.add(followUp);
      queueing.over();
    } catch (error) {
      queueing.say(String(error));
    }
  }

  async function keepCanary(): Promise<void> {
    try {
      await redis.now()?.queue.keepCanary(intervals.canary);
    } catch (error) {
      // The caller of `lastCanary` notices.
      log.debug({ problem: String(error) }, 'cannot queue the canary of the follow-ups yet');
    }
  }

  async function reconcile(): Promise<void> {
    await Promise.all([keepCanary(), enqueue(() => openIn(ledger))]);
  }

  // Need not succeed: the ledger holds the follow-up, and `reconcile` queues it again.
  ledger.subscribe((entry) => {
    if (entry.kind === 'follow-up' && entry.step === 'started')
      void enqueue(() => [followUpOf(ledger.run(entry.run)) ?? []].flat());
  });
  return {
    ...actions(ledger, looks),
    deadline(follow, by) {
      const follows = parts.follows();
      if (by !== undefined) return now() + (intervals.deadline ?? follows.deadline);
      // Power actions that cannot be read are not followed. Restores are: people say how they ended.
      const isFollowed = follows[follow] && !(follow === 'power' && source.unreadable(follow));
      return isFollowed ? now() + (intervals.deadline ?? follows.deadline) : undefined;
    },
    reconcile,
    canLook: (follow) => !source.unreadable(follow) && (follow === 'restore' || parts.follows().power),
    look(run, caller) {
      const state = followUpOf(ledger.run(run));
      return state === undefined ? Promise.resolve(undefined) : source.look(state.followUp.started, caller);
    },
    lookOf: looks.of,
    lastCanary: async () => redis.now()?.canary.last(),
    states: () =>
      openIn(ledger).map((each) => ({
        state: stateOf(looks.of(each.run)),
        since: begunAt(each, each.followUp.started),
      })),
    troubles: () => source.troubles(),
    async close() {
      trouble.end();
      queueing.end();
      await redis.close();
      // The caller closes panel and ledger next, which looks under way still need.
      await watcher.close();
    },
  };
}

function stateOf(look: JobLook | undefined): FollowUpState {
  if (look === 'no-read') return 'unreadable';
  if (look?.blind) return 'blind';
  if (look?.late) return 'late';
  return look?.word === undefined ? 'unseen' : 'seen';
}

const isOpen = ({ followUp }: FollowUp): boolean => followUp.ended === undefined;

/** Follow-ups that have not ended. */
const openIn = (ledger: Pick<Ledger, 'following'>): FollowUp[] =>
  ledger
    .following()
    .flatMap((state) => followUpOf(state) ?? [])
    .filter(isOpen);

/** What people see and decide about follow-ups. */
function actions(
  ledger: FollowUpParts['ledger'],
  looks: Looks,
): Pick<FollowUps, 'list' | 'stop' | 'unfollowed' | 'end' | 'handOver'> {
  const unfollowed = (): FollowUp[] => ledger.unfollowed().flatMap((state) => followUpOf(state) ?? []);
  const find = (id: string, among = openIn(ledger)): FollowUp | undefined =>
    among.find(({ followUp }) => jobOf(followUp.started) === id);
  const end = (state: FollowUp | undefined, how: End, by: Actor): Promise<boolean> =>
    state === undefined ? Promise.resolve(false) : record(ledger, state, { end: how }, by);
  return {
    list(server) {
      const shown = openIn(ledger).filter(
        ({ followUp }) => (server ?? followUp.started.server.id) === followUp.started.server.id,
      );
      return Promise.resolve(shown.map((each) => followedOf(each, looks.of(each.run))));
    },
    unfollowed(server) {
      const shown = unfollowed().filter(({ followUp }) => followUp.started.server.id === server);
      return Promise.resolve(shown.map((each) => followedOf(each, undefined)));
    },
    end: (id, how, by) => end(find(id, unfollowed()), how, by),
    stop: (id, by) => end(find(id), 'stopped', by),
    handOver(id, to, by) {
      const state = find(id);
      if (state === undefined) return Promise.resolve(false);
      const entry = followUpEntry(state.followUp, by, state.followUp.card);
      return unlessRefused(ledger.append([{ ...entry, step: 'handed-over', to }]));
    },
  };
}

function followedOf(state: FollowUp, look: JobLook | undefined): Followed {
  const { started, notify, card } = state.followUp;
  const { command, server, actor, place } = started;
  const since = begunAt(state, started);
  const about = {
    ...{ id: jobOf(started), command, server, startedBy: actor, notify, since, isGlass: isGlass(state) },
    card: { guild: place.guild, channel: place.channel, message: card },
  };
  if (look === 'no-read') return { ...about, unreadable: true };
  const { word, progress, at, blind, since: watchedSince } = look ?? {};
  return {
    ...about,
    ...(word === undefined || at === undefined ? {} : { seen: { word, at, progress } }),
    ...(blind === true ? { blindSince: at ?? watchedSince ?? since } : {}),
    watchedSince,
  };
}

/** For BullMQ: one that fails fast and, if this process polls, one that waits. */
interface Connections {
  producer: Redis;
  worker?: Redis;
}

interface Connected {
  queue: FollowUpQueue;
  canary: Canary;
  worker?: ReturnType<typeof createWorker>;
}

/** What there is once there is a Redis, and not before: then BullMQ is loaded, too. */
function connected(
  { redis, log }: { redis: Promise<Connections>; log: Log },
  follow: Parameters<typeof createWorker>[1],
  now: () => number,
  opened: () => void,
) {
  let there: Connected | undefined;
  let isClosed = false;
  async function open({ producer, worker }: Connections): Promise<void> {
    const { createQueue, createWorker } = await import('./queue.ts');
    if (isClosed) return;
    const [canary, queue] = [createCanary(producer, now), createQueue(producer, log)];
    if (worker !== undefined) await emptied(queue);
    if (isClosed) return queue.close();
    there = { queue, canary };
    if (worker !== undefined) there.worker = createWorker(worker, follow, canary.onTaken, log);
    opened();
  }
  async function emptied(queue: FollowUpQueue): Promise<void> {
    for (const pause of pauses()) {
      const isDone = await queue.empty().then(
        () => true,
        () => false,
      );
      if (isDone || isClosed) return;
      await delay(pause, undefined, { ref: false });
    }
  }
  redis.then(open).catch((error: unknown) => {
    if (!isClosed) log.error({ problem: String(error) }, 'nothing is followed until the next start');
  });
  return {
    now: () => there,
    async close() {
      isClosed = true;
      await there?.worker?.close();
      await there?.queue.close();
    },
  };
}
