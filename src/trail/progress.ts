import type { Ledger } from '../ledger/ledger.ts';
import type { AuditChannel } from './channel.ts';
import { beginOf, nextFrom, type Posted, type Reach } from './position.ts';
import { latest, postedIn } from './reader.ts';

interface ProgressParts {
  ledger: Pick<Ledger, 'entries'>;
  channel: Pick<AuditChannel, 'id' | 'page'>;
  /** How many pages of a hundred messages to search for the newest message of the trail. */
  pages: number;
  /** Called for each message of the trail that this reads. */
  remember(posted: Posted): void;
  /** Called when the position is first known. */
  onRead(): void;
}

export type Progress = ReturnType<typeof createProgress>;

/** Tracks the end of the trail, as this process read it in the channel or posted it. */
export function createProgress({ ledger, channel, pages, remember, onRead }: ProgressParts) {
  /** The `seq` of the last entry in the channel; undefined while unknown. */
  let at: number | undefined;
  /** The end of the trail as the leader left it. */
  let end: Reach | undefined;

  /** The channel holds all entries up to `seq`; `message` is the newest message of the trail. */
  function place(seq: number, message: string | undefined): void {
    end = message === undefined ? undefined : { channel: channel.id, message, seq };
    at = seq;
    onRead();
  }

  return {
    /** Reads at least `least` messages, and finds the next entry to post. Rejects with TooManyMessages. */
    async read(least: number) {
      const messages = await latest(channel, least, pages);
      const posted = postedIn(messages);
      for (const each of posted) remember(each);
      const last = posted.at(-1);
      return { messages, last, from: nextFrom(ledger.entries(), channel.id, last) };
    },
    place,
    losePosition(): void {
      at = undefined;
    },
    at: (): number | undefined => at,
    reach: (): Reach | undefined => end,
    isWaiting: (): boolean => {
      const entries = ledger.entries();
      return at === undefined || (beginOf(entries, channel.id) !== undefined && at < entries.length);
    },
  };
}
