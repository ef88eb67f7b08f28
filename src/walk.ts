import { setImmediate as breath } from 'node:timers/promises';

/** How long `walk` and `inSlices` may block the event loop, in ms; garbage that is collected meanwhile comes on top. */
const maxBlocking = 2;

/** Pauses where it has blocked that long since the last time. */
function pauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < maxBlocking) return undefined;
    return breath().then(() => {
      since = performance.now();
    });
  };
}

/** Calls `each` for up to a million items, or until false, and yields now and then. Pass a copy of what may grow. */
export async function walk<T>(things: Iterable<T> | AsyncIterable<T>, each: (thing: T) => unknown): Promise<void> {
  const pause = pauses();
  if (Symbol.asyncIterator in things) {
    for await (const thing of things) {
      if (each(thing) === false) return;
      await pause();
    }
    return;
  }
  // What is short is done before the caller goes on.
  for (const thing of things) {
    if (each(thing) === false) return;
    const due = pause();
    if (due !== undefined) await due;
  }
}

/** Work that may pause after each step, which takes some tenths of a millisecond. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Of how many items a step consists. */
const stride = 256;

/** Calls `each` for all of them. */
export function* strides<T>(things: Iterable<T>, each: (thing: T) => void): Steps<void> {
  let n = 0;
  for (const thing of things) {
    each(thing);
    n += 1;
    if (n % stride === 0) yield;
  }
}

/** They as JSON texts, one after the other, each of many of them. */
export function* jsonOf(things: readonly unknown[], take: (text: string) => void): Steps<void> {
  for (let at = 0; at < things.length; at += stride) {
    take(JSON.stringify(things.slice(at, at + stride)));
    yield;
  }
}

/** Does it with pauses for others, every few milliseconds. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const pause = pauses();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const due = pause();
    if (due !== undefined) await due;
  }
}

/** Does it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
