import type { Ledger } from '../ledger/ledger.ts';
import type { AuditChannel, Message } from './channel.ts';
import { compare, type Oddity } from './compare.ts';
import { entriesFrom, pack, packBacklog } from './pack.ts';
import { knownEnd, nonceFor, type Posted } from './position.ts';
import type { Progress } from './progress.ts';
import { postedIn } from './reader.ts';
import type { Seals } from './seals.ts';
import type { Tampering } from './tampering.ts';
import { unvouched } from './vouched.ts';

interface TurnParts {
  ledger: Pick<Ledger, 'entries'>;
  channel: AuditChannel;
  tampering: Tampering;
  progress: Progress;
  seals: Pick<Seals, 'match'>;
  isLeader(): Promise<boolean>;
}

/** From how many entries on the lines go as a file: more than a few messages of them. */
const backlog = 60;
/** How many messages of the trail are compared. */
const compared = 200;
/** How long a look at the channel is good for a post, in ms: as long as a lease. */
const goodFor = 10_000;

/** One turn of the leader: reports what happened to the channel, then posts one message. Never edits, never deletes. */
export function createTurn({ ledger, channel, tampering, progress, seals, isLeader }: TurnParts) {
  /** How often the channel was to be compared with the ledger, and up to which of these it is. */
  let wanted = 1;
  let done = 0;
  /** Which of these has to be over before anything may change; 0: none. */
  let unread = 0;

  /** Where Discord takes no file, the lines go one message after the other. */
  async function postLines(from: number, to: number, nonce: string): Promise<Message | undefined> {
    const entries = ledger.entries();
    const isBacklog = to - from >= backlog;
    const filed = isBacklog ? packBacklog(entriesFrom(entries, from, to)) : undefined;
    if (filed !== undefined) {
      const message = await channel.post(filed.text, nonce, filed.file).catch(() => undefined);
      if (message !== undefined) return message;
    }
    const packed = pack(entriesFrom(entries, from, to));
    return packed && channel.post(packed.text, nonce);
  }

  /** Up to entry `to`: what came later was not looked at. True when it posted something that was not there. */
  async function post(from: number, to: number, last: string | undefined): Promise<boolean> {
    if (!(await isLeader())) return false;
    const message = await postLines(from, to, nonceFor(ledger.entries(), from));
    if (message === undefined) return false;
    const [posted] = postedIn([message]);
    if (posted === undefined) return false;
    tampering.know(posted);
    // Under the same nonce it may be what another process posted, with fewer lines or more.
    progress.place(posted.to, message.id);
    return message.id !== last;
  }

  /** Reports what settles findings and is nobody's: once it is posted, the channel would vouch for it. */
  async function isForged(messages: readonly Message[]): Promise<boolean> {
    const forged = unvouched(ledger.entries(), channel.id, postedIn(messages), seals);
    await tampering.reportFound(forged);
    return forged.length > 0;
  }

  return {
    /** Compares the channel with the ledger again at the next turn. */
    compareAgain(): void {
      wanted += 1;
    },
    /** The channel cannot be read: once it can be, it is compared before anything may change. */
    blind(): void {
      wanted += 1;
      unread = wanted;
    },
    /** It can be read again, and another process compares it. */
    sight(): void {
      unread = 0;
    },
    isBlind: (): boolean => unread > 0,
    isDue: (): boolean => wanted > done || tampering.isDue() || progress.isWaiting(),
    /** True when there may be more to do. */
    async take(): Promise<boolean> {
      // Whom to look for is asked of the time since the first look.
      if (progress.isRead()) await tampering.reportHeard();
      const comparison = wanted;
      const began = performance.now();
      const { messages, last, from } = await progress.read(comparison > done ? compared : 1);
      if (comparison > done) await tampering.reportFound(compare(messages, ledger.entries()));
      if (from === 'ahead') {
        await tampering.reportFound(aheadOf(last));
        return true;
      }
      const at = (from ?? 1) - 1;
      await tampering.reportEnd(knownEnd(ledger.entries(), channel.id, progress.reach()), at);
      const to = ledger.entries().length;
      if (await isForged(messages)) return true;
      if (unread <= comparison) unread = 0;
      progress.place(at, last?.message);
      const isFresh = performance.now() - began < goodFor;
      const isPosted = isFresh && from !== undefined && (await post(from, to, last?.message));
      if (comparison > done) {
        await tampering.reportUnheard();
        // What was heard meanwhile is reported as what it is, before the audit log says that there was something.
        if (tampering.isDue()) return true;
      }
      done = comparison;
      return isPosted;
    },
  };
}

const aheadOf = (last: Posted | undefined): Oddity[] =>
  last === undefined ? [] : [{ finding: 'ahead', message: last.message, from: last.from, to: last.to }];
