import { setTimeout as delay } from 'node:timers/promises';
import type { TrailLag } from '../command.ts';
import type { Backlog } from '../health/vitals.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Actor, ChannelClosed, type Log } from '../outcome.ts';
import { bySeq } from '../runs/entries.ts';
import { againIn, every, pauses } from '../waits.ts';
import type { AuditChannel, ChannelWatch } from './channel.ts';
import { createLoop } from './loop.ts';
import { beginOf, createProgress, maxPages, postedIn, TooManyMessages } from './position.ts';
import type { Seals } from './seals.ts';
import { createTampering, type Tampering } from './tampering.ts';
import { createTurn } from './turn.ts';

export interface TrailIntervals {
  /** In ms: between two posts, between retries, and between checks for new entries. */
  between: number;
  retry: number;
  look: number;
  /** How long the oldest entry may wait before the channel counts as behind. */
  patience: number;
}

interface TrailParts {
  ledger: Pick<Ledger, 'append' | 'entries' | 'subscribe' | 'isHeld'>;
  channel: AuditChannel;
  /** Undefined without a gateway connection. */
  watch?: ChannelWatch;
  bot: Actor;
  seals: Pick<Seals, 'match'>;
  intervals?: Partial<TrailIntervals>;
  /** The maximum number of pages, of a hundred messages each, to read. */
  pages?: number;
  log: Log;
}

export type TrailPost = ReturnType<typeof createTrail>;

type Poster = ReturnType<typeof createPoster>;

const defaults: TrailIntervals = { between: 1_000, retry: 3_000, look: 1_000, patience: 5 * 60_000 };
/** How many checks in a row must find the channel behind before that is logged. */
const looksBeforeLog = 5;
/** How long `close` waits for the last lines, in ms. */
const closeTimeout = 2_000;

/** Posts the ledger to its channel, each entry once and in order, and reports tampering there. */
export function createTrail(parts: TrailParts) {
  const { ledger } = parts;
  const intervals = { ...defaults, ...parts.intervals };
  const tampering = createTampering(parts);
  let onRead = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const poster = createPoster({ ...parts, intervals, tampering, onRead });
  const trouble = troubleOf(parts, poster, createWaiting(Date.now), intervals.patience);
  const logLag = createLagLog(parts.log, looksBeforeLog * intervals.look);
  let end = (): Promise<void> => Promise.resolve();
  async function look(): Promise<void> {
    // `trouble` measures the age of the oldest line from the first call that sees it.
    logLag(trouble());
    await poster.run();
  }

  ledger.subscribe(() => void poster.run());
  listen(parts.watch, poster, tampering);
  return {
    /** Starts to post. Resolves when the position in the channel is known; until then the channel counts as behind. */
    begin(): Promise<void> {
      // An error of the ledger is already in the log.
      end = every(intervals.look, () => look().catch(() => undefined));
      void poster.run();
      return read;
    },
    trouble,
    /** How many entries are not in the channel, and when the oldest was recorded, in ms. Undefined while unknown. */
    backlog(): Backlog | undefined {
      const entries = ledger.entries();
      if (beginOf(entries, parts.channel.id) === undefined) return { count: 0 };
      const at = poster.position();
      if (at === undefined) return undefined;
      const oldest = bySeq(entries, at + 1);
      return { count: entries.length - at, ...(oldest === undefined ? {} : { oldest: Date.parse(oldest.time) }) };
    },
    /** The end of the trail, as far as this process knows. */
    reach: poster.reach,
    /** Posts what is left, for at most two seconds, and stops. */
    async close(): Promise<void> {
      void end();
      await Promise.race([poster.finish(), delay(closeTimeout, undefined, { ref: false })]);
      poster.close();
    },
  };
}

function listen(watch: ChannelWatch | undefined, poster: Poster, tampering: Tampering): void {
  const onTampering = (finding: 'deleted' | 'edited', messages: readonly string[]): void => {
    tampering.add(finding, messages);
    void poster.run();
  };
  watch?.listen({
    posted: (message) => postedIn([message]).forEach(tampering.remember),
    deleted: (messages) => onTampering('deleted', messages),
    edited: (message) => onTampering('edited', [message]),
    opened() {
      if (!poster.isClosed()) return;
      poster.hurry();
      void poster.run();
    },
    closed() {
      poster.markUnreadable();
      void poster.run();
    },
    ready() {
      poster.hurry();
      poster.compareAgain();
      void poster.run();
    },
  });
}

/** Why the channel is behind; undefined if it is not. */
function troubleOf({ ledger, channel, watch }: TrailParts, poster: Poster, waiting: Waiting, patience: number) {
  const place = `<#${channel.id}>`;
  const closed = (words: string): TrailLag => ({ reason: 'trail-closed', words });
  const behind = (words: string): TrailLag => ({ reason: 'trail-behind', words });
  return (): TrailLag | undefined => {
    const hindrance = watch?.hindrance();
    if (hindrance?.kind === 'gone') return closed(`The audit channel ${place} was deleted.`);
    if (hindrance?.kind === 'lacks') return closed(`Missing in ${place}: ${hindrance.rights.join(', ')}.`);
    if (poster.isClosed()) return closed(`Discord refuses the bot in ${place}.`);
    const entries = ledger.entries();
    // No entry belongs in this channel.
    if (beginOf(entries, channel.id) === undefined) return undefined;
    const at = poster.position();
    // While the position is unknown, entries may be waiting.
    if (at === undefined) return behind(`How far the trail is in ${place} could not be read yet.`);
    const oldest = bySeq(entries, at + 1);
    const isLate = oldest !== undefined && waiting(oldest) > patience;
    const late = entries.length - at;
    const words = late === 1 ? 'The last entry has' : `The last ${late.toLocaleString('en-US')} entries have`;
    return isLate ? behind(`${words} not reached ${place} yet.`) : undefined;
  };
}

/** How long the oldest entry that is not in the channel has waited, in ms. */
type Waiting = (oldest: { seq: number; time: string }) => number;

/** The longer of two ages: by the wall clock, and since it was first seen. A clock set back shortens no wait. */
export function createWaiting(now: () => number): Waiting {
  let seen = { seq: 0, since: 0 };
  return ({ seq, time }) => {
    if (seen.seq !== seq) seen = { seq, since: performance.now() };
    return Math.max(now() - Date.parse(time), performance.now() - seen.since);
  };
}

/** Logs once when the channel has been behind for `patience` ms, and once when it has caught up. */
function createLagLog(log: Log, patience: number): (lag: TrailLag | undefined) => void {
  let since: number | undefined;
  let isLogged = false;
  return (lag) => {
    if (lag === undefined) {
      if (isLogged) log.info({}, 'the audit channel has caught up with the ledger');
      since = undefined;
      isLogged = false;
      return;
    }
    since ??= performance.now();
    if (isLogged || performance.now() - since < patience) return;
    isLogged = true;
    log.error({ reason: lag.reason, problem: lag.words }, 'the audit channel is behind the ledger');
  };
}

interface PosterParts extends TrailParts {
  tampering: Tampering;
  /** Called when the position in the channel is first known. */
  onRead(): void;
  intervals: TrailIntervals;
}

/** The pause grows up to this many times the first one. */
const growth = 20;

function createPoster(parts: PosterParts) {
  const { ledger, channel, tampering, intervals, log, pages = maxPages } = parts;
  const progress = createProgress({ ...parts, pages, remember: tampering.remember });
  const turn = createTurn({ ...parts, progress });
  const loop = createLoop(post, pauseAfter);
  const pace = { first: intervals.retry, most: intervals.retry * growth };
  let growing = pauses(pace);
  let isClosed = false;

  async function post(): Promise<void> {
    for (let more = isClosed || turn.isDue(); more && ledger.isHeld() && !loop.isEnded(); ) {
      more = (await turn.take()) || turn.isDue();
      markHealthy();
      if (more) await loop.wait(intervals.between);
    }
  }

  function markHealthy(): void {
    isClosed = false;
    growing = pauses(pace);
  }

  function pauseAfter(error: unknown): number {
    const isTooMuch = error instanceof TooManyMessages;
    const pause = isTooMuch ? pace.most : growing.next().value;
    const again = againIn(pause);
    if (error instanceof ChannelClosed && !isClosed) {
      log.error({ channel: channel.id, again }, 'the audit channel denies the bot access');
      turn.markUnreadable();
      isClosed = true;
    } else log.warn({ problem: String(error), again }, 'cannot post the trail yet: will retry');
    if (isTooMuch) progress.losePosition();
    return pause;
  }

  const { run, hurry, finish, close } = loop;
  return {
    ...{ run, hurry, finish, close, reach: progress.reach, compareAgain: turn.compareAgain },
    markUnreadable: turn.markUnreadable,
    /** The `seq` of the last entry in the channel. Undefined while unknown. */
    position: (): number | undefined => (turn.isUnreadable() ? undefined : progress.at()),
    /** Whether the last attempt was denied access to the channel. */
    isClosed: (): boolean => isClosed,
  };
}
