import { LRUCache } from 'lru-cache';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';
import { isOpenQuestion, isUnknown, mayStillRun } from '../runs/state.ts';

/** Takes a private message back; one that has buttons loses those. */
export type TakeBack = () => Promise<void>;

const maxQuestions = 1_000;

/** Keeps private words about what is open: they are taken back once it is closed, or somebody has said how it ended. */
export function keepAsides(
  ledger: Pick<Ledger, 'subscribe' | 'runs'>,
  log: Log,
): (invocationId: string, takeBack: TakeBack) => void {
  const kept = new LRUCache<string, TakeBack[]>({ max: maxQuestions });

  function takeBackIfClosed(id: string): void {
    if (ledger.runs(id).some((state) => isOpenQuestion(state) || isUnknown(state) || mayStillRun(state))) return;
    const all = kept.get(id) ?? [];
    kept.delete(id);
    for (const each of all)
      each().catch((error: unknown) =>
        log.debug({ run: id, problem: String(error) }, 'a private message about a closed question stays'),
      );
  }

  ledger.subscribe((entry) => {
    if ('run' in entry && kept.has(invocationOf(entry.run))) takeBackIfClosed(invocationOf(entry.run));
  });

  return (id, each) => {
    kept.set(id, [...(kept.get(id) ?? []), each]);
    // It may have been closed while these words were on their way.
    takeBackIfClosed(id);
  };
}
