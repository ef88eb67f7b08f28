import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { entriesFrom, pack } from '../view/trail.ts';
import { isBacklog, maxFileLength, packBacklog } from './backlog.ts';
import type { AuditChannel, Message } from './channel.ts';
import { backlogsIn, compare, compareFiles, type Discrepancy } from './compare.ts';
import { knownEnd, nonceFor, type Posted, type Progress, postedIn } from './position.ts';
import { unvouchedEntries } from './reported.ts';
import type { Seals } from './seals.ts';
import type { Tampering } from './tampering.ts';

interface TurnParts {
  ledger: Pick<Ledger, 'entries' | 'isHeld'>;
  channel: AuditChannel;
  tampering: Tampering;
  progress: Progress;
  seals: Pick<Seals, 'match'>;
  log: Log;
}

/** How many messages of the trail to compare, and how many entries in files. `verify` compares all. */
const comparedMessages = 200;
const comparedInFiles = 20_000;
/** How old a read may be, in ms, to post after it: the length of a lease. */
const freshFor = 10_000;

/** One turn: reports tampering, then posts one message. Never edits or deletes. */
export function createTurn({ ledger, channel, tampering, progress, seals, log }: TurnParts) {
  const postLines = createPosting(ledger, channel);
  /** How many comparisons were requested, and how many are done. */
  let wanted = 1;
  let done = 0;
  /** The comparison that must be done before anything may change; 0: none. */
  let unread = 0;

  /** Posts entries up to `to`: later ones are not checked yet. True if it posted a new message. */
  async function post(from: number, to: number, last: string | undefined): Promise<boolean> {
    if (!ledger.isHeld()) return false;
    const message = await postLines(from, to, nonceFor(ledger.entries(), from));
    if (message === undefined) return false;
    const [posted] = postedIn([message]);
    if (posted === undefined) return false;
    tampering.remember(posted);
    // With the same nonce, this may be the last leader's message, with fewer or more lines.
    progress.place(posted.to, message.id);
    return message.id !== last;
  }

  /** Reports entries that settle findings without a valid seal. Posting them would make the channel vouch for them. */
  async function isForged(messages: readonly Message[]): Promise<boolean> {
    const forged = unvouchedEntries(ledger.entries(), channel.id, postedIn(messages), seals);
    await tampering.report(forged);
    return forged.length > 0;
  }

  async function compareWith(messages: readonly Message[]): Promise<void> {
    await tampering.report(compare(messages, ledger.entries()));
    const recent = recentBacklogs(messages, ledger.entries());
    const { found, unread } = await compareFiles(channel, recent, ledger.entries(), 'doubtful');
    await tampering.report(found);
    if (unread.length > 0)
      log.warn({ messages: unread.map(({ message }) => message) }, 'cannot read files of the trail to compare them');
  }

  return {
    /** Compares the channel with the ledger again at the next turn. */
    compareAgain(): void {
      wanted += 1;
    },
    /** The channel cannot be read. Once it can, compare it before anything may change. */
    markUnreadable(): void {
      wanted += 1;
      unread = wanted;
    },
    isUnreadable: (): boolean => unread > 0,
    isDue: (): boolean => wanted > done || tampering.isDue() || progress.isWaiting(),
    /** True if there may be more to do. */
    async take(): Promise<boolean> {
      await tampering.reportEvents();
      const comparison = wanted;
      const began = performance.now();
      const { messages, last, from } = await progress.read(comparison > done ? comparedMessages : 1);
      if (comparison > done) await compareWith(messages);
      if (from === 'ahead') {
        await tampering.report(aheadOf(last));
        return true;
      }
      const at = (from ?? 1) - 1;
      await tampering.reportEnd(knownEnd(ledger.entries(), channel.id, progress.reach()), at);
      const to = ledger.entries().length;
      if (await isForged(messages)) return true;
      if (unread <= comparison) unread = 0;
      progress.place(at, last?.message);
      const isFresh = performance.now() - began < freshFor;
      const isPosted = isFresh && from !== undefined && (await post(from, to, last?.message));
      done = comparison;
      return isPosted;
    },
  };
}

/** The newest messages with files, up to `comparedInFiles` entries. */
function recentBacklogs(messages: readonly Message[], entries: ReturnType<Ledger['entries']>): Message[] {
  let left = comparedInFiles;
  const recent = backlogsIn(messages, entries)
    .toReversed()
    .filter(({ from, to }) => {
      left -= to - from + 1;
      return left >= 0;
    })
    .map(({ message }) => message);
  return messages.filter(({ id }) => recent.includes(id));
}

const aheadOf = (last: Posted | undefined): Discrepancy[] =>
  last === undefined ? [] : [{ finding: 'ahead', message: last.message, from: last.from, to: last.to }];

/** After Discord refuses a file: how long to post without files, in ms, and by what factor the next one is smaller. */
const withoutFiles = 60_000;
const shrink = 4;
const leastFileLength = 20_000;

/** Over a slow line a smaller one may be there in time. */
const smaller = (length: number): number => Math.max(leastFileLength, length / shrink);

/**
 * Posts one message with entries from `from` on: lines, or a backlog as a file. If Discord refuses the file, for whatever
 * reason, posts lines with the same nonce: should Discord have accepted the file after all, it returns that message.
 * Undefined if there are no entries.
 */
export function createPosting(
  ledger: Pick<Ledger, 'entries'>,
  channel: Pick<AuditChannel, 'post'>,
  now: () => number = () => performance.now(),
) {
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let most = maxFileLength;
  return async (from: number, to: number, nonce: string): Promise<Message | undefined> => {
    const entries = ledger.entries();
    const isFile = now() >= refusedUntil && isBacklog(entries, from, to);
    const backlog = isFile ? await packBacklog(entriesFrom(entries, from, to), most) : undefined;
    const packed = pack(entriesFrom(entries, from, to));
    const instead = (error: unknown): undefined => {
      if (packed !== undefined) return;
      // A line that is too long for a message has no other form.
      most = smaller(most);
      throw error;
    };
    const filed = backlog && (await channel.post(backlog.text, nonce, backlog.file).catch(instead));
    if (filed !== undefined) {
      most = maxFileLength;
      return filed;
    }
    const message = packed && (await channel.post(packed.text, nonce));
    // The message was accepted, so the file was the problem.
    if (isFile) {
      refusedUntil = now() + withoutFiles;
      most = smaller(most);
    }
    return message;
  };
}
