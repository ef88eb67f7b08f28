import type { Ledger } from '../ledger/ledger.ts';
import { ChannelClosed, type Log } from '../outcome.ts';
import type { AuditChannel } from './channel.ts';
import { createLoop } from './loop.ts';
import { createProgress } from './progress.ts';
import { mostPages, postedIn, TooMuch } from './reader.ts';
import type { Seals } from './seals.ts';
import type { Tampering } from './tampering.ts';
import { createTurn } from './turn.ts';
import { unvouched } from './vouched.ts';

interface PosterParts {
  ledger: Pick<Ledger, 'refresh' | 'entries'>;
  channel: AuditChannel;
  tampering: Tampering;
  seals: Pick<Seals, 'match'>;
  /** Whether this process, of all that share the ledger, is the one that posts. */
  isLeader(): Promise<boolean>;
  /** The position in the channel is known for the first time. */
  onRead(): void;
  pages?: number;
  /** In ms: see TrailIntervals. */
  intervals: { between: number; retry: number; look: number };
  log: Log;
}

/** How much longer than after other trouble it pauses where there is too much to read. */
const longer = 20;

/** The one who posts the trail: a loop, which only the leader's process goes round. */
export function createPoster(parts: PosterParts) {
  const { ledger, channel, tampering, seals, isLeader, intervals, log, pages = mostPages } = parts;
  const progress = createProgress({ ...parts, pages, know: tampering.know });
  const turn = createTurn({ ...parts, progress });
  const loop = createLoop(async () => ((await isLeader()) ? lead() : follow()), pauseAfter);
  let leads = false;
  let isClosed = false;
  let isInTrouble = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function lead(): Promise<void> {
    // What another leader heard and did not report shows in the channel.
    if (!leads) turn.compareAgain();
    leads = true;
    for (let more = isClosed || turn.isDue(); more && !loop.isEnded(); more &&= await isLeader()) {
      more = (await turn.take()) || turn.isDue();
      well();
      if (more) await loop.wait(intervals.between);
    }
  }

  /** Another process posts: this one looks how far it is. */
  async function follow(): Promise<void> {
    leads = false;
    tampering.expire();
    const isLate = performance.now() - lookedAt >= intervals.look;
    if (!isLate || !(isClosed || turn.isBlind() || progress.isWaiting())) return;
    lookedAt = performance.now();
    const { messages, last, from } = await progress.read(1);
    const isSettled = unvouched(ledger.entries(), channel.id, postedIn(messages), seals).length === 0;
    if (from !== 'ahead' && isSettled) progress.follow((from ?? 1) - 1, last?.message);
    // What happened meanwhile is the leader's to find.
    turn.sight();
    well();
  }

  function well(): void {
    isClosed = false;
    isInTrouble = false;
  }

  function pauseAfter(error: unknown): number {
    if (error instanceof ChannelClosed) {
      if (!isClosed) {
        log.error({ channel: channel.id }, 'the audit channel refuses the bot: changes wait for it');
        turn.blind();
      }
      isClosed = true;
      return intervals.retry;
    }
    log[isInTrouble ? 'debug' : 'warn']({ problem: String(error) }, 'the trail could not be posted yet');
    isInTrouble = true;
    if (!(error instanceof TooMuch)) return intervals.retry;
    progress.lose();
    return intervals.retry * longer;
  }

  const { run, finish, close } = loop;
  return {
    ...{ run, finish, close, reach: progress.reach, since: progress.since, compareAgain: turn.compareAgain },
    /** The channel cannot be read from now on. */
    shut: turn.blind,
    /** The last entry that is in the channel, by `seq`; undefined while that is not known, or what happened unseen. */
    at: (): number | undefined => (turn.isBlind() ? undefined : progress.at()),
    /** Whether the channel refused the bot, the last time that it was tried. */
    isClosed: (): boolean => isClosed,
  };
}
