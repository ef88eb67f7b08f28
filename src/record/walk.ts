import { setImmediate as breath } from 'node:timers/promises';

/** For how long a walk may hold up everything else, in ms. */
const stride = 4;

/**
 * Calls `each` for all of what may be a million things; every few milliseconds the rest of the bot has its turn. Of a list that may
 * grow meanwhile, hand in a copy.
 */
export async function walk<T>(things: Iterable<T>, each: (thing: T) => void): Promise<void> {
  let since = performance.now();
  for (const thing of things) {
    each(thing);
    if (performance.now() - since < stride) continue;
    await breath();
    since = performance.now();
  }
}
