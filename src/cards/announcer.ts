import { setMaxListeners } from 'node:events';
import { setTimeout as delay, setImmediate as soon } from 'node:timers/promises';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { idAt, type Log, shellChannel } from '../outcome.ts';
import { againIn } from '../waits.ts';
import { announcements, announcementsOf, ofNoRun } from './announcement.ts';
import type { Announcement, AnnouncementParts, Posted } from './due.ts';
import { clockSkew, inFirst, type Messages, moved } from './messages.ts';
import type { Cards } from './reconciler.ts';

/** In ms. */
export interface AnnouncerPace {
  /** How often to check for due announcements, in addition to every new entry. */
  every: number;
  /** The first pause after an error of Discord or the ledger, and the longest. */
  retry: number;
  most: number;
  /** How long to wait for the card to show what is announced. */
  shown: number;
  /** When to remind people of an unreadable job, after its start. */
  reminders: readonly number[];
}

export interface AnnouncerParts extends Omit<AnnouncementParts, 'records' | 'reminders'> {
  ledger: Pick<Ledger, 'append' | 'subscribe' | 'isHeld' | 'head'> & AnnouncementParts['records'];
  messages: Pick<Messages, 'find' | 'reply'>;
  cards: Pick<Cards, 'shown'>;
  /**
   * Fallback channels for when the card's channel or thread is deleted, locked or closed: the first that exists is
   * used.
   */
  elsewhere(): readonly string[];
  pace?: Partial<AnnouncerPace>;
  log: Log;
}

const defaults: AnnouncerPace = {
  every: 1_000,
  retry: 2_000,
  most: 60_000,
  shown: 2_000,
  reminders: [15, 60, 240].map((minutes) => minutes * 60_000),
};

/** The dependencies of one announcement. */
type Context = Omit<AnnouncerParts, 'pace'> & AnnouncementParts & { pace: AnnouncerPace; stopping: AbortSignal };

/**
 * Posts due announcements, each once, and records them in the ledger. Everybody else only appends entries. Safe to kill
 * at any point: the ledger shows again what is due, and the announcer searches the channel before it posts.
 */
export function createAnnouncer(parts: AnnouncerParts): { close(): Promise<void> } {
  const { ledger, log } = parts;
  const pace = { ...defaults, ...parts.pace };
  const stop = new AbortController();
  const { signal: stopping } = stop;
  // A thousand jobs may end at once.
  setMaxListeners(0, stopping);
  const making: Context = { ...parts, pace, stopping, records: ledger, reminders: pace.reminders };
  const underWay = new Map<string, Promise<void>>();
  const pauses = new Map<string, { until: number; ms: number }>();
  let waking: Promise<void> | undefined;

  async function one(due: Announcement): Promise<void> {
    const { key } = due;
    try {
      await announce(making, due);
      pauses.delete(key);
    } catch (error) {
      // It is no longer due: the ledger knows.
      if (stopping.aborted || error instanceof Refused) return;
      const ms = Math.min(pace.most, Math.max(pace.retry, 2 * (pauses.get(key)?.ms ?? 0)));
      pauses.set(key, { until: performance.now() + ms, ms });
      log.warn({ announcement: key, problem: String(error), again: againIn(ms) }, 'an announcement failed: will retry');
    }
  }

  const due = (): Announcement[] =>
    announcements(making).filter(({ key }) => !underWay.has(key) && (pauses.get(key)?.until ?? 0) <= performance.now());

  function look(): void {
    if (!parts.ledger.isHeld()) return;
    for (const each of due()) {
      const work = one(each).finally(() => underWay.delete(each.key));
      underWay.set(each.key, work);
    }
  }

  /** Does not delay the append; and looks once for many entries. */
  function wake(): void {
    waking ??= soon().then(() => {
      waking = undefined;
      if (!stopping.aborted) look();
    });
  }

  ledger.subscribe(wake);
  const timer = setInterval(wake, pace.every);
  return {
    async close() {
      clearInterval(timer);
      stop.abort();
      await waking;
      await Promise.all(underWay.values());
    },
  };
}

/** Stops as soon as the announcement is no longer due. Rejects if Discord or the ledger is unavailable. */
async function announce(making: Context, { key, invocationId: id }: Announcement): Promise<void> {
  const { cards, ledger, pace, stopping } = making;
  const now = (): Announcement | undefined =>
    (id === undefined ? ofNoRun(making) : announcementsOf(making, id)).find((each) => each.key === key);
  if (id !== undefined && now()?.card() !== undefined) {
    const patience = delay(pace.shown, undefined, { ref: false, signal: stopping });
    await Promise.race([cards.shown(id, pace.shown).catch(() => undefined), patience]);
  }
  // The card may have moved meanwhile.
  const announcement = now();
  if (announcement === undefined) return;
  const posted = await post(making, announcement, now);
  const entries = now()?.entries(posted && { ...posted, pings: announcement.pings });
  if (entries !== undefined) await ledger.append(entries);
}

/** Posts once, even across crashes. Returns where; undefined if there is nothing to say or no channel is left. */
function post(
  { messages, ledger, elsewhere }: Context,
  { card, pings, since, to }: Announcement,
  now: () => Announcement | undefined,
): Promise<Omit<Posted, 'pings'> | undefined> {
  const first = card();
  if (first === undefined) return Promise.resolve(undefined);
  return inFirst([to.channel, ...elsewhere()], async (channel) => {
    const found = await messages.find({ channel, message: idAt(since - clockSkew) }, first, pings);
    if (found !== undefined) return { channel, message: found };
    if (!ledger.isHeld()) throw new Error('another process may announce now');
    const asOf = ledger.head().seq;
    const newest = now()?.card();
    if (newest === undefined) return undefined;
    const isMoved = ![channel, shellChannel].includes(to.channel) && to.message !== undefined;
    const said = isMoved ? { ...newest, body: [...newest.body, moved] } : newest;
    const message = await messages.reply({ ...to, channel }, said, pings);
    return message === undefined ? 'gone' : { channel, message, asOf };
  });
}
