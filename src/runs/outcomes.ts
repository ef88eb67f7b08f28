import { bySeq, type Entries } from './entries.ts';
import type { Kind } from './entry.ts';
import { type Numbers, numbers, type Seqs, upTo } from './numbers.ts';

/** Outcomes, oldest first, each read when it is asked for. */
export interface Outcomes extends Pick<Seqs, 'length' | 'upTo'> {
  at(index: number): Kind<'outcome'> | undefined;
}

export function openOutcomes(entries: Entries) {
  const lists = new Map<number, Numbers>();
  const none = numbers();
  function load(seq: number): Kind<'outcome'> | undefined {
    const entry = bySeq(entries, seq);
    return entry?.kind === 'outcome' ? entry : undefined;
  }
  return {
    load,
    place(server: number, seq: number): void {
      let list = lists.get(server);
      if (list === undefined) {
        list = numbers();
        lists.set(server, list);
      }
      list.push(seq);
    },
    of(server: number): Outcomes {
      const list = lists.get(server) ?? none;
      return {
        get length() {
          return list.length;
        },
        upTo: list.upTo,
        at: (index) => load(list.at(index)),
      };
    },
    /** Those of a list of `seq`. */
    listed: (seqs: readonly number[]): Outcomes => ({
      length: seqs.length,
      upTo: (seq) => upTo(seqs, seq),
      at: (index) => load(seqs[index] ?? 0),
    }),
  };
}
