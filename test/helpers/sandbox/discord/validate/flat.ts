import { expect, it } from 'vitest';

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

/** What depends on several places: a value that is taken, one that is not, and the place and code of that. */
export type Rule = readonly [rule: string, taken: unknown, refused: unknown, expected: string];

type Check = (body: unknown) => object | undefined;

/** Expects of an otherwise sound body that it is taken with the one value of a limit, and refused with the other. */
export const testLimits = (check: Check, sound: object, limits: readonly Limit[]): void =>
  it.each(limits)('is taken at the limit of %s and refused beyond it: %s', (path, code, taken, refused) => {
    expect(check(withAt(sound, path, taken))).toBeUndefined();
    expect(flat(check(withAt(sound, path, refused)))).toEqual([`${path} ${code}`]);
  });

/** The same of whole bodies. */
export const testRules = (check: Check, rules: readonly Rule[]): void =>
  it.each(rules)('is taken where it may be and refused where not: %s', (_rule, taken, refused, expected) => {
    expect(check(taken)).toBeUndefined();
    expect(flat(check(refused))).toEqual([expected]);
  });

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
