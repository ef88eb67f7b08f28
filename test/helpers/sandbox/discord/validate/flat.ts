import { expect } from 'vitest';

/** An `errors` tree as lines of `path CODE`, so that a test can state both as one literal. */
export function flat(errors: object | undefined, path: string[] = []): string[] {
  return Object.entries(errors ?? {}).flatMap(([key, below]) =>
    key === '_errors' && Array.isArray(below)
      ? below.map((error: { code: string }) => `${path.join('.')} ${error.code}`.trim())
      : flat(below, [...path, key]),
  );
}

export const x = (length: number) => 'x'.repeat(length);

export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A place such as `embeds.0.title`, the code with which a value is refused there, one that is just taken, and one that is not. */
export type Limit = readonly [path: string, code: string, taken: unknown, refused: unknown];

/** Expects of an otherwise sound body that it is taken with the one value, and refused with the other. */
export function expectLimit(
  check: (body: unknown) => object | undefined,
  body: object,
  [path, code, taken, refused]: Limit,
): void {
  expect(check(withAt(body, path, taken))).toBeUndefined();
  expect(flat(check(withAt(body, path, refused)))).toEqual([`${path} ${code}`]);
}

function withAt(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place = copy;
  for (const key of keys) {
    if (!(key in place)) Reflect.set(place, key, {});
    place = Reflect.get(place, key);
  }
  Reflect.set(place, last, value);
  return copy;
}
