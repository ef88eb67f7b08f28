import { expect, test } from 'vitest';
import { keepAsides } from '../../src/cards/asides.ts';
import { notes } from '../helpers/ledger/samples.ts';

test('Private words about what was closed while they were on their way are taken back at once', () => {
  const keep = keepAsides({ subscribe: () => undefined, runs: () => [] }, notes());
  const taken: string[] = [];
  keep('off', () => Promise.resolve(void taken.push('off')));
  expect(taken).toEqual(['off']);
});
