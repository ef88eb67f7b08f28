import type { Kept } from './entries.ts';
import type { EventEntry, RunEntry } from './entry.ts';
import { isRestoreJob, type RestoreJob } from './follow-up.ts';
import { type Numbers, numbers, type Seqs } from './numbers.ts';
import type { States } from './states.ts';

/** The ledger by what people look for in it. All of it is `seq` of entries, oldest first. */
export interface Past {
  /** Entries of no run. */
  events(): readonly EventEntry[];
  /** Servers that an entry of a run names. */
  servers(): Iterable<number>;
  /** Entries of runs on a server, or undefined: of those that name none. */
  ofServer(server: number | undefined): Seqs;
  /** The entries of an invocation. */
  ofInvocation(id: string): readonly RunEntry[];
  /** The last restore with a job in the panel. */
  lastRestore(): RestoreJob | undefined;
  /** Whether a later entry belongs to the same invocation. Rarely yes, although none does. */
  goesOn(seq: number): boolean;
  /** The `seq` of the entry before of the same invocation, or rarely of another; 0: none. */
  before(seq: number): number;
}

/** Which entries of runs name which server, and the last restore. */
export function openPast(
  entries: Pick<Kept, 'events'>,
  { entriesOf, goesOn, before }: Pick<States, 'entriesOf' | 'goesOn' | 'before'>,
) {
  const lists = new Map<number | undefined, Numbers>();
  const none = numbers();
  let lastRestore: RestoreJob | undefined;
  const records: Past = {
    events: () => entries.events,
    servers: () => [...lists.keys()].filter((id) => id !== undefined),
    ofServer: (id) => lists.get(id) ?? none,
    lastRestore: () => lastRestore,
    ...{ ofInvocation: entriesOf, goesOn, before },
  };
  return {
    records,
    take(entry: RunEntry): void {
      const list = lists.get(entry.server?.id) ?? numbers();
      lists.set(entry.server?.id, list);
      list.push(entry.seq);
      if (isRestoreJob(entry)) lastRestore = entry;
    },
  };
}
