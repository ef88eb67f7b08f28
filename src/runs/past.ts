import { bySeq, type Kept } from './entries.ts';
import type { Entry, EventEntry, RunEntry } from './entry.ts';
import { isRestoreJob, type RestoreJob } from './follow-up.ts';
import { type Numbers, numbers, type Seqs } from './numbers.ts';
import { flags, type Row } from './row.ts';
import type { States } from './states.ts';

/** The ledger by what people look for in it. All of it is `seq` of entries, oldest first. */
export interface Past {
  /** Entries of no run. */
  events(): readonly EventEntry[];
  /** Servers that an entry of a run names. */
  servers(): Iterable<number>;
  /** Entries of runs on a server, or undefined: of those that name none. */
  ofServer(server: number | undefined): Seqs;
  /** The entries of an invocation. `read`: how to read one of them. */
  ofInvocation(id: string, read?: (seq: number) => Entry | undefined): readonly RunEntry[];
  lastRestore(): RestoreJob | undefined;
  /** Whether a later entry belongs to the same invocation. Rarely yes, although none does. */
  hasLater(seq: number): boolean;
  /** The `seq` of the entry before of the same invocation, or rarely of another; 0: none. */
  before(seq: number): number;
}

/** Which entries of runs name which server, and the last restore. */
export function openPast(
  entries: Kept,
  { entriesOf, hasLater, before }: Pick<States, 'entriesOf' | 'hasLater' | 'before'>,
) {
  /** By server; 0: of those that name none. */
  const lists = new Map<number, Numbers>();
  const none = numbers();
  let lastRestore = 0;
  const records: Past = {
    events: () => entries.events,
    servers: () => [...lists.keys()].filter((id) => id !== 0),
    ofServer: (id = 0) => lists.get(id) ?? none,
    lastRestore() {
      const entry = bySeq(entries, lastRestore);
      return entry !== undefined && isRestoreJob(entry) ? entry : undefined;
    },
    ...{ ofInvocation: entriesOf, hasLater, before },
  };
  return {
    records,
    /** An entry of a run is there. */
    place(seq: number, row: Row): void {
      let list = lists.get(row.server);
      if (list === undefined) {
        list = numbers();
        lists.set(row.server, list);
      }
      list.push(seq);
      if ((row.flags & flags.restore) !== 0) lastRestore = seq;
    },
  };
}
