import type { Ledger } from '../ledger/ledger.ts';
import type { AuditChannel, Message } from './channel.ts';
import { beginOf, nextFrom, type Posted, type Reach } from './position.ts';
import { latest, postedIn } from './reader.ts';

interface ProgressParts {
  ledger: Pick<Ledger, 'refresh' | 'entries'>;
  channel: Pick<AuditChannel, 'id' | 'page'>;
  /** How far back the newest message of the trail is looked for, in pages of a hundred. */
  pages: number;
  /** Gets every message of the trail that is seen. */
  know(posted: Posted): void;
  /** The position in the channel is known for the first time. */
  onRead(): void;
}

/** What the channel holds of the trail. */
interface Seen {
  /** The newest messages of the trail, oldest first. */
  messages: readonly Message[];
  last: Posted | undefined;
  from: ReturnType<typeof nextFrom>;
}

export type Progress = ReturnType<typeof createProgress>;

/** How far the trail is, as this process has read it in the channel or posted there. */
export function createProgress({ ledger, channel, pages, know, onRead }: ProgressParts) {
  let position: { seq: number; message: string | undefined } | undefined;
  let isRead = false;

  return {
    /** Reads at least so many messages of the trail, if there are as many. Rejects with TooMuch and ChannelClosed. */
    async read(least: number): Promise<Seen> {
      const messages = await latest(channel, least, pages);
      // After the channel: what stands there was in the ledger before.
      await ledger.refresh();
      const posted = postedIn(messages);
      for (const each of posted) know(each);
      const last = posted.at(-1);
      return { messages, last, from: nextFrom(ledger.entries(), channel.id, last) };
    },
    /** The channel holds everything up to that entry; `message` is the newest of the trail there. */
    place(seq: number, message: string | undefined): void {
      position = { seq, message };
      isRead = true;
      onRead();
    },
    /** Nobody can say any more how far the channel is. */
    lose(): void {
      isRead = false;
    },
    /** The last entry that is in the channel, by `seq`; undefined while that is not known. */
    at: (): number | undefined => (isRead ? position?.seq : undefined),
    reach: (): Reach | undefined =>
      position?.message === undefined
        ? undefined
        : { channel: channel.id, message: position.message, seq: position.seq },
    isWaiting: (): boolean => {
      const entries = ledger.entries();
      return !isRead || (beginOf(entries, channel.id) !== undefined && (position?.seq ?? 0) < entries.length);
    },
  };
}
