import type { Book } from '../runs/book.ts';
import { genesis, type Head, verify } from './chain.ts';
import type { Staged } from './group.ts';
import { LedgerDamaged } from './ledger.ts';
import type { LedgerStream, StreamReply } from './redis-stream.ts';

export type Copy = ReturnType<typeof copyOf>;

/** This process's verified copy of the stream. It only grows: a stream that is shorter is damaged. */
export function copyOf(stream: LedgerStream, book: Book) {
  let head: Head = genesis;
  /** Entries sent without an answer, by hash, each with the `seq` it would have. */
  const unanswered = new Map<string, number>();

  function take({ head: remote, lines }: Extract<StreamReply, { kind: 'moved' }>, each: (hash: string) => void) {
    if (lines.length === 0) throw new LedgerDamaged(stream.name, Math.min(remote.seq, head.seq) + 1, mismatch(remote));
    const result = verify(
      lines,
      (entry) => {
        book.add(entry, unanswered.has(entry.hash));
        head = { seq: entry.seq, hash: entry.hash };
        each(entry.hash);
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

  /** Reads everything others wrote, starting with the given reply; calls `each` with every hash. */
  async function follow(first: StreamReply, each: (hash: string) => void): Promise<void> {
    let reply = first;
    while (reply.kind === 'moved') {
      take(reply, each);
      if (head.seq >= reply.head.seq) return;
      reply = await stream.exchange(head);
    }
  }

  return {
    head: () => head,
    follow,
    catchUp: async (each: (hash: string) => void = () => undefined) => follow(await stream.exchange(head), each),
    /** These may still appear in the stream, and then count as our own. */
    sent({ entries }: Staged) {
      for (const { hash, seq } of entries) unanswered.set(hash, seq);
    },
    /** Adds what this process wrote. */
    add(staged: Staged) {
      for (const entry of staged.entries) book.add(entry, true);
      head = staged.head;
    },
  };
}
