import { LedgerUnavailable } from '../outcome.ts';
import type { Book } from './book.ts';
import { type Head, seal } from './chain.ts';
import { type Entry, isOfRun, type NewEntry } from './entry.ts';
import { proceed } from './incidents.ts';
import type { Incident, RunState } from './ledger.ts';
import { advance } from './runs.ts';

/** An append that waits for its turn. */
export interface Request {
  entries: readonly NewEntry[];
  resolve(entries: Entry[]): void;
  reject(error: Error): void;
}

/** A group as it would be recorded: what its runs and incidents come to, and which of its appends none of them can take. */
export interface Staged {
  /** All that is to be written, in order. */
  entries: readonly Entry[];
  accepted: readonly { request: Request; sealed: Entry[] }[];
  refused: readonly { request: Request; error: Error }[];
  head: Head;
}

/** What runs and incidents would come to, entry by entry. Changes nothing of what it is drawn from. */
function draftOf(book: Pick<Book, 'get' | 'incident'>) {
  const runs = new Map<string, RunState>();
  const incidents = new Map<string, Incident>();
  const get = (run: string): RunState | undefined => runs.get(run) ?? book.get(run);
  const incident = (id: string): Incident | undefined => incidents.get(id) ?? book.incident(id);
  return {
    get,
    incident,
    take(entry: Entry): void {
      if (isOfRun(entry)) runs.set(entry.run, advance(get(entry.run), entry));
      else if (entry.kind === 'incident') incidents.set(entry.incident, proceed(incident(entry.incident), entry));
    },
  };
}

/** Seals what may be recorded of a group after `head`, as if all of it were on disk. Changes nothing. */
export function stage(
  group: readonly Request[],
  book: Pick<Book, 'get' | 'incident'>,
  head: Head,
  now: () => Date,
): Staged {
  const whole = draftOf(book);
  const accepted: { request: Request; sealed: Entry[] }[] = [];
  const refused: { request: Request; error: Error }[] = [];
  let tip = head;
  for (const request of group) {
    const own = draftOf(whole);
    const sealed: Entry[] = [];
    let last = tip;
    try {
      for (const entry of request.entries) {
        const next = seal(entry, last.seq + 1, now().toISOString(), last.hash);
        own.take(next);
        sealed.push(next);
        last = { seq: next.seq, hash: next.hash };
      }
    } catch (error) {
      refused.push({ request, error: error instanceof Error ? error : new Error(String(error)) });
      continue;
    }
    accepted.push({ request, sealed });
    for (const entry of sealed) whole.take(entry);
    tip = last;
  }
  return { entries: accepted.flatMap(({ sealed }) => sealed), accepted, refused, head: tip };
}

/** Tells those who wait what became of a group that is recorded. */
export function answer({ accepted, refused }: Staged): void {
  for (const { request, sealed } of accepted) request.resolve(sealed);
  for (const { request, error } of refused) request.reject(error);
}

/** Takes appends one by one and has them written in groups, one group at a time. */
export interface Grouping {
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Takes nothing more, waits for what is being written, then ends. */
  close(): Promise<void>;
}

/** `write` answers every request of its group and never rejects; `end` is called once, after the last group. */
export function grouping(write: (group: readonly Request[]) => Promise<void>, end: () => Promise<void>): Grouping {
  let queue: Request[] = [];
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** What arrives while one group is being written becomes the next: it shares one write and one sync. */
  async function writeQueue() {
    while (queue.length > 0) {
      const group = queue;
      queue = [];
      await write(group);
    }
    writing = undefined;
  }

  async function finish() {
    await writing;
    await end();
  }

  return {
    append(entries) {
      if (closing) return Promise.reject(new LedgerUnavailable(new Error('the ledger is closed')));
      return new Promise((resolve, reject) => {
        // Copied: the caller's objects may change before their turn comes.
        queue.push({ entries: structuredClone(entries), resolve, reject });
        writing ??= Promise.resolve().then(writeQueue);
      });
    },
    close() {
      closing ??= finish();
      return closing;
    },
  };
}
