import { setImmediate as turn } from 'node:timers/promises';

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
