import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { actor, place, rawOptions, server } from '../runs/entry-events.ts';

/** How a command was answered: enough to draw its card while the ledger has nothing about it. */
const opened = z.object({
  /** Discord's interaction id, and its token, which is valid for 15 minutes from `at` (ms). */
  interaction: z.object({ id: z.string(), token: z.string(), at: z.number() }),
  audience: z.enum(['private', 'public']),
  place,
  actor,
  command: z.string(),
  options: rawOptions,
  /** The servers of a change, one run each. */
  servers: z.array(server).readonly(),
  asks: z.boolean(),
});

/** The record of a card of which the ledger has nothing yet: from it the next process can draw it after a crash. */
export const cardRecord = z.object({
  id: z.string(),
  opened: opened.exactOptional(),
});

export type Opened = z.infer<typeof opened>;
export type CardRecord = z.infer<typeof cardRecord>;

export interface LeftOver {
  cards: readonly CardRecord[];
  /** They knew an entry that the ledger does not have: it is a different ledger. */
  isAhead?: true;
}

/** The store of open cards. Never throws or rejects: it logs errors and retries. */
export interface CardStore {
  /**
   * `seq`: the last entry of the ledger known at that time. False: not stored yet, and after a crash the card would
   * stay as it is.
   */
  put(card: CardRecord, seq: number): Promise<boolean>;
  remove(id: string, seq: number): void;
  /**
   * The ledger has an entry more. By the last of them a start knows a ledger that was replaced by an older copy. One in
   * Redis needs no such mark: it would be lost with the ledger.
   */
  seen?(seq: number): void;
  /** Takes over the cards of earlier processes, once. Undefined: it has, or they cannot be read yet. */
  takeOver(): Promise<LeftOver | undefined>;
  close(): Promise<void>;
}

/** Everything that comes during one write is the next, in order. */
export function batches<Item, Result>(write: (items: readonly Item[]) => Promise<Result>) {
  let waiting: Item[] = [];
  let next: Promise<Result> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const begin = async (): Promise<Result> => {
    // What else comes in this turn of the event loop is written with it.
    await turn();
    const items = waiting;
    waiting = [];
    next = undefined;
    return write(items);
  };
  return {
    add(item: Item): Promise<Result> {
      waiting.push(item);
      next ??= last.then(begin);
      last = next;
      return next;
    },
    last: (): Promise<unknown> => last,
  };
}
