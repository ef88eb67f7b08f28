import type { Ledger } from '../ledger/ledger.ts';
import { ChannelClosed, type Log } from '../outcome.ts';
import { pauses } from '../pauses.ts';
import { againIn } from '../waits.ts';
import type { AuditChannel } from './channel.ts';
import { createLoop } from './loop.ts';
import { createProgress } from './progress.ts';
import { maxPages, TooManyMessages } from './reader.ts';
import type { Seals } from './seals.ts';
import type { Tampering } from './tampering.ts';
import { createTurn } from './turn.ts';

interface PosterParts {
  ledger: Pick<Ledger, 'entries' | 'isHeld'>;
  channel: AuditChannel;
  tampering: Tampering;
  seals: Pick<Seals, 'match'>;
  /** Called when the position in the channel is first known. */
  onRead(): void;
  pages?: number;
  /** In ms: see TrailIntervals. */
  intervals: { between: number; retry: number; look: number };
  log: Log;
}

/** The pause grows up to this many times the first one. */
const growth = 20;

export function createPoster(parts: PosterParts) {
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
