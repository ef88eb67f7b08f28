import type { Book } from '../runs/book.ts';
import { genesis, type Head, verify } from './chain.ts';
import type { Staged } from './group.ts';
import { LedgerDamaged } from './ledger.ts';
import type { LedgerStream, StreamReply } from './redis-stream.ts';

export type Copy = ReturnType<typeof copyOf>;

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
