import { setImmediate as breath } from 'node:timers/promises';

/** How long `walk` may block the event loop, in ms. */
const maxBlocking = 4;

/**
 * Calls `each` for up to a million items, or until it returns false, and yields to the event loop every few
 * milliseconds. Pass a copy of a list that may grow meanwhile.
 */
export async function walk<T>(things: Iterable<T>, each: (thing: T) => unknown): Promise<void> {
  let since = performance.now();
  for (const thing of things) {
    if (each(thing) === false) return;
    if (performance.now() - since < maxBlocking) continue;
    await breath();
    since = performance.now();
  }
}
