import type { Book } from '../runs/book.ts';
import { genesis, type Head, verify } from './chain.ts';
import type { Staged } from './group.ts';
import { LedgerDamaged } from './ledger.ts';
import type { LedgerStream, Said } from './redis-stream.ts';

export type Copy = ReturnType<typeof copyOf>;

/** What this process knows of the stream, verified. It never goes back: a stream that is shorter is damaged. */
export function copyOf(stream: LedgerStream, book: Book) {
  let head: Head = genesis;
  /** What this process sent and heard no answer to, by hash, with the place that it would have. */
  const unanswered = new Map<string, number>();

  function take({ head: there, lines }: Extract<Said, { kind: 'moved' }>, each: (hash: string) => void) {
    if (lines.length === 0) throw new LedgerDamaged(stream.name, Math.min(there.seq, head.seq) + 1, lacking(there));
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
    // In the place of what is not there by now stands another.
    for (const [hash, seq] of unanswered) if (seq <= head.seq) unanswered.delete(hash);
  }

  const lacking = (there: Head) =>
    there.seq < head.seq
      ? `it ends at entry ${there.seq}, and entry ${head.seq} was written`
      : `entry ${head.seq} is another than was written`;

  /** Takes in all that others wrote, beginning with what was `heard`; `each` hears the hashes. */
  async function follow(heard: Said, each: (hash: string) => void): Promise<void> {
    let said = heard;
    while (said.kind === 'moved') {
      take(said, each);
      if (head.seq >= said.head.seq) return;
      said = await stream.exchange(head, []);
    }
  }

  return {
    head: () => head,
    follow,
    catchUp: async (each: (hash: string) => void = () => undefined) => follow(await stream.exchange(head, []), each),
    /** These may turn up in the stream: then they are this process's own. */
    sent({ entries }: Staged) {
      for (const { hash, seq } of entries) unanswered.set(hash, seq);
    },
    /** What was written by this process itself. */
    add(staged: Staged) {
      for (const entry of staged.entries) book.add(entry, true);
      head = staged.head;
    },
  };
}
