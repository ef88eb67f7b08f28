import { setImmediate as breath } from 'node:timers/promises';

/** How long `walk` may block the event loop, in ms. */
const maxBlocking = 4;

/** Calls `each` for up to a million items, or until false, and yields now and then. Pass a copy of what may grow. */
export async function walk<T>(things: Iterable<T>, each: (thing: T) => unknown): Promise<void> {
  let since = performance.now();
  for (const thing of things) {
    if (each(thing) === false) return;
    if (performance.now() - since < maxBlocking) continue;
    await breath();
    since = performance.now();
  }
}
