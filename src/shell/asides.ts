import { LRUCache } from 'lru-cache';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';

/** Takes a private message back; one that has buttons loses those. */
export type TakeBack = () => Promise<void>;

/** Private words about what is open: they are taken back once it is closed, or somebody has said how it ended. */
export interface Asides {
  keep(invocationId: string, takeBack: TakeBack): void;
}

const maxQuestions = 1_000;

export function createAsides({
  ledger,
  isOpen,
  log,
}: {
  ledger: Pick<Ledger, 'subscribe'>;
  isOpen(invocationId: string): boolean;
  log: Log;
}): Asides {
  const kept = new LRUCache<string, TakeBack[]>({ max: maxQuestions });

  function takeBack(id: string): void {
    const all = kept.get(id) ?? [];
    kept.delete(id);
    for (const each of all)
      each().catch((error: unknown) =>
        log.debug({ run: id, problem: String(error) }, 'a private message about a closed question stays'),
      );
  }

  ledger.subscribe((entry) => {
    if ('run' in entry && kept.has(invocationOf(entry.run)) && !isOpen(invocationOf(entry.run)))
      takeBack(invocationOf(entry.run));
  });

  return {
    keep(id, each) {
      kept.set(id, [...(kept.get(id) ?? []), each]);
      // It may have been closed while these words were on their way.
      if (!isOpen(id)) takeBack(id);
    },
  };
}
