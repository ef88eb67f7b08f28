import type { Ledger } from '../ledger/ledger.ts';
import { madeAt } from '../outcome.ts';
import type { AuditChannel } from './channel.ts';
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

export type Progress = ReturnType<typeof createProgress>;

/** How far the trail is, as this process has read it in the channel or posted there. */
export function createProgress({ ledger, channel, pages, know, onRead }: ProgressParts) {
  /** The last entry that is in the channel, by `seq`; undefined while that is not known. */
  let at: number | undefined;
  /** The end of the trail as the leader left it. */
  let end: Reach | undefined;
  /** When the newest message was posted that stood at the first look, in ms. */
  let since: number | undefined;

  function see(seq: number): void {
    at = seq;
    onRead();
  }
  /** The channel holds everything up to that entry; `message` is the newest of the trail there. */
  function place(seq: number, message: string | undefined): void {
    end = message === undefined ? undefined : { channel: channel.id, message, seq };
    see(seq);
  }

  return {
    /** Reads at least so many messages of the trail, if there are as many, and where it goes on. Rejects with TooMuch and ChannelClosed. */
    async read(least: number) {
      const messages = await latest(channel, least, pages);
      // After the channel: what stands there was in the ledger before.
      await ledger.refresh();
      const posted = postedIn(messages);
      for (const each of posted) know(each);
      const last = posted.at(-1);
      since ??= madeAt(last?.message ?? channel.id);
      return { messages, last, from: nextFrom(ledger.entries(), channel.id, last) };
    },
    place,
    /** The same by a process that does not lead: an end that is gone is the leader's to report, which this one may become. */
    follow: (seq: number, message: string | undefined): void =>
      seq < (end?.seq ?? 0) ? see(seq) : place(seq, message),
    /** Nobody can say any more how far the channel is. */
    lose(): void {
      at = undefined;
    },
    at: (): number | undefined => at,
    reach: (): Reach | undefined => end,
    /** Before the first look, the channel's age. */
    since: (): number => since ?? madeAt(channel.id),
    isRead: (): boolean => since !== undefined,
    isWaiting: (): boolean => {
      const entries = ledger.entries();
      return at === undefined || (beginOf(entries, channel.id) !== undefined && at < entries.length);
    },
  };
}
