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
