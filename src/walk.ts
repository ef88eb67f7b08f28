import { setImmediate as breath } from 'node:timers/promises';

/** How long `walk` and `inSlices` may block the event loop, in ms. */
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

/** A step takes some microseconds, and a look at the clock a good part of one. */
const stepsAtOnce = 32;

/** Work that may pause after each step. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does it with pauses for others, every few milliseconds. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (let n = 1; ; n += 1) {
    const { done, value } = steps.next();
    if (done) return value;
    if (n % stepsAtOnce !== 0 || performance.now() - since < maxBlocking) continue;
    await breath();
    since = performance.now();
  }
}

/** Does it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
