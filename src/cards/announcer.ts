import { setMaxListeners } from 'node:events';
import { setTimeout as delay, setImmediate as soon } from 'node:timers/promises';
import type { Card } from '../card.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { idAt, type Log } from '../outcome.ts';
import { type Announcement, type AnnouncementParts, alertOf, announcements, announcementsOf } from './announcement.ts';
import type { Messages, Where } from './messages.ts';
import type { Cards } from './reconciler.ts';
import { clockSkew, inFirst, moved } from './somewhere.ts';

/** In ms. */
export interface AnnouncerPace {
  /** How often is looked for what is due, beside at every entry. */
  every: number;
  /** The first and the longest pause after Discord or the ledger refused. */
  retry: number;
  most: number;
  /** How long the card gets to show what is announced. */
  shown: number;
  /** When people are reminded of a job that cannot be read, after its start. */
  reminders: readonly number[];
}

export interface AnnouncerParts extends Pick<AnnouncementParts, 'wording' | 'readable' | 'alarm' | 'now'> {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'subscribe'> & AnnouncementParts['records'];
  messages: Pick<Messages, 'find' | 'reply'>;
  cards: Pick<Cards, 'shown'>;
  /**
   * Channels where what is due is said, the first that is there, once the channel or thread of its card is deleted,
   * locked or hidden.
   */
  elsewhere: readonly string[];
  /** Whether it is this process that announces. */
  isLeader(): Promise<boolean>;
  pace?: Partial<AnnouncerPace>;
  log: Log;
}

const usual: AnnouncerPace = {
  every: 1_000,
  retry: 2_000,
  most: 60_000,
  shown: 2_000,
  reminders: [15, 60, 240].map((minutes) => minutes * 60_000),
};

/** What one announcement is made with. */
type Making = Omit<AnnouncerParts, 'pace'> & AnnouncementParts & { pace: AnnouncerPace; stopping: AbortSignal };

/**
 * Says in the channels what is due by the ledger, each once: posts it, and appends that it is said. Whoever acts only appends. It may
 * be killed anywhere: the ledger says again what is due, and the channel is looked through before a message is posted.
 */
export function createAnnouncer(parts: AnnouncerParts): { close(): Promise<void> } {
  const { ledger, log, now } = parts;
  const pace = { ...usual, ...parts.pace };
  const stop = new AbortController();
  const { signal: stopping } = stop;
  // A thousand jobs may end at once.
  setMaxListeners(0, stopping);
  const making: Making = { ...parts, pace, stopping, records: ledger, reminders: pace.reminders };
  const underWay = new Map<string, Promise<void>>();
  const pauses = new Map<string, { until: number; ms: number }>();
  let looking: Promise<void> | undefined;
  let woken = false;

  async function one(due: Announcement): Promise<void> {
    const { key } = due;
    try {
      await announce(making, due);
      pauses.delete(key);
    } catch (error) {
      // Somebody else did it, or it is not to be said any more: the ledger knows.
      if (stopping.aborted || error instanceof Refused) return;
      const ms = Math.min(pace.most, Math.max(pace.retry, 2 * (pauses.get(key)?.ms ?? 0)));
      pauses.set(key, { until: now() + ms, ms });
      log.warn({ announcement: key, problem: String(error) }, 'something has to be announced later');
    }
  }

  const due = (): Announcement[] =>
    announcements(making).filter(({ key }) => !underWay.has(key) && (pauses.get(key)?.until ?? 0) <= now());

  async function look(): Promise<void> {
    await ledger.refresh();
    if (due().length === 0 || !(await parts.isLeader())) return;
    // What another process did meanwhile.
    await ledger.refresh();
    if (stopping.aborted) return;
    for (const each of due()) {
      const work = one(each).finally(() => underWay.delete(each.key));
      underWay.set(each.key, work);
    }
  }

  async function looks(): Promise<void> {
    while (woken && !stopping.aborted) {
      // Not in the way of whoever appends; and many entries are one look.
      await soon();
      woken = false;
      await look().catch((error: unknown) => log.debug({ problem: String(error) }, 'nobody looked for what is due'));
    }
  }

  function wake(): void {
    if (stopping.aborted) return;
    woken = true;
    looking ??= looks().finally(() => {
      looking = undefined;
      if (woken) wake();
    });
  }

  ledger.subscribe(wake);
  const timer = setInterval(wake, pace.every);
  return {
    async close() {
      clearInterval(timer);
      stop.abort();
      await looking;
      await Promise.all(underWay.values());
    },
  };
}

/** Once what is due is not due any more, the rest is not done. Rejects where Discord or the ledger is away. */
async function announce(making: Making, { key, invocationId: id }: Announcement): Promise<void> {
  const { cards, ledger, pace, stopping } = making;
  const now = (): Announcement | undefined =>
    (id === undefined ? alertOf(making) : announcementsOf(making, id)).find((each) => each.key === key);
  if (id !== undefined && now()?.card() !== undefined) {
    const patience = delay(pace.shown, undefined, { ref: false, signal: stopping });
    await Promise.race([cards.shown(id, pace.shown).catch(() => undefined), patience]);
  }
  // The card may have moved meanwhile.
  const announcement = now();
  if (announcement === undefined) return;
  const posted = await post(making, announcement, now);
  const entries = now()?.entries(posted);
  if (entries !== undefined) await ledger.append(entries);
}

/** Posts once, whoever is killed meanwhile. Answers where; undefined where there is nothing to say, or no channel is left. */
function post(
  making: Making,
  announcement: Announcement,
  now: () => Announcement | undefined,
): Promise<Where | undefined> {
  const first = announcement.card();
  if (first === undefined) return Promise.resolve(undefined);
  return inFirst([announcement.to.channel, ...making.elsewhere], (channel) =>
    postIn(making, channel, { ...announcement, first }, now),
  );
}

/** Undefined where there is nothing to say any more. Rejects with ChannelClosed. */
async function postIn(
  { messages, ledger, isLeader }: Making,
  channel: string,
  { to, pings, since, first }: Announcement & { first: Card },
  now: () => Announcement | undefined,
): Promise<Where | undefined | 'gone'> {
  const found = await messages.find({ channel, message: idAt(since - clockSkew) }, first, pings);
  if (found !== undefined) return { channel, message: found };
  // The search takes time, in which others may have said more, or may have begun to do this.
  await ledger.refresh();
  if (!(await isLeader())) throw new Error('another process announces now');
  const newest = now()?.card();
  if (newest === undefined) return undefined;
  const isMoved = channel !== to.channel && to.message !== undefined;
  const said = isMoved ? { ...newest, body: [...newest.body, moved] } : newest;
  const message = await messages.reply({ ...to, channel }, said, pings);
  return message === undefined ? 'gone' : { channel, message };
}
