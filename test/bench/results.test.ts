import { expect, it } from 'vitest';
import { results } from '../../bench/table.ts';
import { readRoot } from '../helpers/house.ts';

const order = 'start memory acknowledge click throughput ledger policy follow-ups takeover'.split(' ');

it('bench/RESULTS.md has the figures of each Node beside the goal, and says once what the missed ones would take', () => {
  // The bench writes both.
  const text = results(JSON.parse(readRoot('bench/results.json')), [...order, 'no-longer-there']);
  expect(text).toBe(readRoot('bench/RESULTS.md'));
});
