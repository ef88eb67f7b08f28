import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';

type Start<T> = () => Promise<T>;
type End<T> = (it: T) => unknown;

/** Most of what begins is closed, or stopped. */
const close = (it: { close?(): unknown; stop?(): unknown }): unknown => it.close?.() ?? it.stop?.();

/** One for all tests of a file or group: there from the first of them on, and ended after the last. */
export function forAll<T extends object>(start: Start<T>, end: End<T> = close): T {
  let it: T | undefined;
  beforeAll(async () => {
    it = await start();
  });
  afterAll(async () => it && end(it));
  return standIn(() => it);
}

/** Another one for each test. */
export function forEach<T extends object>(start: Start<T>, end: End<T> = close): T {
  let it: T | undefined;
  beforeEach(async () => {
    it = await start();
  });
  afterEach(async () => it && end(it));
  return standIn(() => it);
}

/** For the test that asks, and ended with it. */
export async function forThis<T extends object>(starting: T | Promise<T>, end: End<T> = close): Promise<T> {
  const it = await starting;
  onTestFinished(async () => void (await end(it)));
  return it;
}

/** What stands for something that is there later: whoever asks it, asks that. */
function standIn<T extends object>(current: () => T | undefined): T {
  const now = (): T => current() ?? fail();
  // Nothing is ever asked of the empty object itself.
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(now(), name),
    ownKeys: () => Reflect.ownKeys(now()),
    getOwnPropertyDescriptor: (_, name) => ({ value: Reflect.get(now(), name), enumerable: true, configurable: true }),
  });
}

function fail(): never {
  throw new Error('it is there from the first test on');
}
