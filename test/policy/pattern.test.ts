import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globOf } from '../../src/policy/pattern.ts';

it.each([
  ['WEB-*', 'web-1', true],
  ['power.*', 'powerxboot', false],
  ['[a-z]', 'a', false],
])('%j and %j: %j', (glob, text, expected) => {
  expect(globOf(glob)(text)).toBe(expected);
});

it('means what the same pattern as a regular expression means', () => {
  const few = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
  fc.assert(
    fc.property(few('ab*?.'), few('ab.'), (glob, text) => {
      const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      expect(globOf(glob)(text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
    { numRuns: 5000 },
  );
});

it('answers at once for a pattern of many stars, which would keep a regular expression for ever', () => {
  expect(globOf(`${'*a'.repeat(2000)}b`)('a'.repeat(4000))).toBe(false);
});
