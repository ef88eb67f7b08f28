import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../outcome.ts';
import type { Book } from '../runs/book.ts';
import type { NewEntry } from '../runs/entry.ts';
import { genesis, type Head, verify, written } from './chain.ts';
import { type Staged, stage } from './group.ts';
import {
  type Holder,
  isOf,
  isOlder,
  isReleased,
  type Lease,
  type LeasePace,
  leaseOf,
  patienceWith,
  versionIn,
} from './lease.ts';
import { LedgerDamaged, LedgerUnsafe, Outdated } from './ledger.ts';
import type { LedgerStream, StreamReply } from './redis-stream.ts';
import { type Clocks, stopwatch } from './stopwatch.ts';

type Copy = ReturnType<typeof copyOf>;

/**
 * This process's verified copy of the stream. It only grows: a stream that is shorter is damaged. `onForeign` is called before
 * an entry is taken that this process did not write: to a leader, that is the end.
 */
export function copyOf(stream: LedgerStream, book: Book, onForeign: () => void) {
  let head: Head = genesis;
  /** Entries sent without an answer, by hash, each with the `seq` it would have. */
  const unanswered = new Map<string, number>();

  function take({ head: remote, lines }: Extract<StreamReply, { kind: 'moved' }>): void {
    if (lines.length === 0) throw new LedgerDamaged(stream.name, Math.min(remote.seq, head.seq) + 1, mismatch(remote));
    const result = verify(
      lines,
      (entry) => {
        if (!unanswered.has(entry.hash)) onForeign();
        book.add(entry);
        head = { seq: entry.seq, hash: entry.hash };
      },
      head,
    );
    if (!result.ok) throw new LedgerDamaged(stream.name, result.seq, result.problem);
    // An entry whose place is now held by another will never appear.
    for (const [hash, seq] of unanswered) if (seq <= head.seq) unanswered.delete(hash);
  }

  const mismatch = (remote: Head) =>
    remote.seq < head.seq
      ? `it ends at entry ${remote.seq}, but entry ${head.seq} was written`
      : `entry ${head.seq} is not the one that was written`;

  /** Reads everything that is new, starting with the given reply. */
  async function follow(first: StreamReply): Promise<void> {
    let reply = first;
    while (reply.kind === 'moved') {
      take(reply);
      if (head.seq >= reply.head.seq) return;
      reply = await stream.exchange(head);
    }
  }

  return {
    head: () => head,
    follow,
    catchUp: async () => follow(await stream.exchange(head)),
    /** Whether something that was sent may still appear. */
    isUnsure: (): boolean => unanswered.size > 0,
    /** These may still appear in the stream, and then count as our own. */
    sent({ entries }: Staged) {
      for (const { hash, seq } of entries) unanswered.set(hash, seq);
    },
    /** Adds what this process wrote. */
    add(staged: Staged) {
      for (const entry of staged.entries) book.add(entry);
      head = staged.head;
      unanswered.clear();
    },
  };
}

export interface StandbyParts {
  stream: LedgerStream;
  copy: Copy;
  book: Book;
  lease: Lease;
  holder: Holder;
  pace: LeasePace;
  clocks: Clocks | undefined;
  now: () => Date;
  log: Log;
  begin: () => readonly NewEntry[];
  /** Each lease that it looks at. */
  saw(lease: string): void;
  signal: AbortSignal | undefined;
}

/** Reads and verifies what the leader writes, until this process leads itself. */
export async function standBy({
  stream,
  copy,
  lease,
  holder,
  pace,
  log,
  signal,
  ...parts
}: StandbyParts): Promise<void> {
  const patience = patienceWith(pace);
  let told = '';
  const tell = (level: 'info' | 'warn', words: string, facts: object): void => {
    if (told !== words) log[level](facts, words);
    told = words;
  };
  /** Since the first try to take the lease was sent: its answer may be lost. */
  let tried: (() => number) | undefined;

  async function look(): Promise<boolean> {
    const from = await stream.lease();
    parts.saw(from);
    await copy.catchUp();
    if (tried !== undefined && isOf(holder, from)) {
      lease.begin(tried);
      return true;
    }
    const version = versionIn(from);
    // A released lease refuses nobody: somebody may have gone back to an older version.
    if (version !== undefined && !isReleased(from) && isOlder(holder.version, version))
      throw new Outdated(holder.version, version);
    // Where there is no ledger either, nobody has ever led.
    const isNew = from === '' && copy.head().seq === 0;
    if (isNew) log.warn({ stream: stream.name }, 'ledger in Redis is empty; starting a new chain');
    if (isNew || patience.mayTake(from)) return take(from);
    if (!isReleased(from)) tell('info', 'standing by: another process leads', { version });
    return false;
  }

  async function take(from: string): Promise<boolean> {
    const staged = stagedOf(parts, copy);
    const sent = stopwatch(parts.clocks);
    tried ??= sent;
    copy.sent(staged);
    const reply = await stream.exchange(copy.head(), staged.lines, staged.head, { from, to: leaseOf(holder, 0) });
    if (reply.kind !== 'ours') return false;
    copy.add(staged);
    lease.begin(sent);
    return true;
  }

  for (;;) {
    signal?.throwIfAborted();
    try {
      if (await look()) break;
    } catch (error) {
      if (error instanceof LedgerDamaged || error instanceof LedgerUnsafe || error instanceof Outdated) throw error;
      patience.begin();
      tell('warn', 'standing by: the ledger cannot be read now', { problem: String(error) });
    }
    await delay(pace.look, undefined, { signal });
  }
  signal?.throwIfAborted();
  log.info({}, 'this process leads');
}

/** What the new leader records first. */
function stagedOf({ book, now, begin }: Pick<StandbyParts, 'book' | 'now' | 'begin'>, copy: Copy): Staged {
  const request = { entries: begin().map(written), resolve: () => undefined, reject: () => undefined };
  const staged = stage([request], book.records, copy.head(), now);
  for (const { error } of staged.refused) throw error;
  return staged;
}
