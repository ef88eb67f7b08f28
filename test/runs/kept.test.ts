import { expect, test } from 'vitest';
import { toLine } from '../../src/ledger/chain.ts';
import { readEntry } from '../../src/runs/entry.ts';
import { ruleLines } from '../../src/runs/kept.ts';
import { seal } from '../helpers/ledger/seal.ts';

const zeros = '0'.repeat(64);
const flush = {
  run: 'abc.1',
  actor: { id: '1100000000000000002', name: 'bob', roles: [] },
  command: 'firewall.flush',
  options: { server: '101', interface: 'primary', sync: true },
  server: { id: 101, name: 'web-1' },
  place: { guild: '1000000000000000001', channel: '1300000000000000001' },
};
const read = { interface: 'primary', count: 1, sha256: 'a'.repeat(64) };

test('an intent without kept rules has the line and the hash that it had before there were any', () => {
  const line = toLine(seal({ ...flush, kind: 'intent' }, 1, '2026-11-24T22:00:00.000Z', zeros));
  expect(line).not.toContain('kept');
  expect(line).toContain('"hash":"9cf75d1eaa1ebc4918470d81c2116de612527e5024b1ba28e7888c0721bb837d"');
});

test.each([
  ['no count', { interface: 'primary', sha256: read.sha256 }],
  ['rules that are no text', { ...read, rules: [{ id: 1 }] }],
])('%s is no entry', (_what, kept) => {
  const link = { seq: 1, time: '2026-11-24T22:00:00.000Z', prev: zeros, hash: zeros };
  expect(readEntry({ ...flush, ...link, kind: 'intent', kept })).toBeUndefined();
});

test('each rule is one line with its number; what people look for first stands first, and nothing is left out', () => {
  expect(
    ruleLines([
      '{"action":"accept","comment":"for ssh","id":7,"port":"22","protocol":"tcp","source":"192.0.2.0/24"}',
      '{"__proto__":1,"a b":{"x":[1,null]},"direction":"in"}',
      '{}',
      'null',
      '["drop"]',
    ]),
  ).toEqual([
    '1  action=accept protocol=tcp port=22 source=192.0.2.0/24 comment="for ssh" id=7',
    '2  direction=in __proto__=1 "a b"={"x":[1,null]}',
    '3  {}',
    '4  null',
    '5  ["drop"]',
  ]);
});

test('what could hide or reorder text is spelled out', () => {
  expect(ruleLines(['{"note":"a\\nb\u202ec\u200bd\ud800"}'])).toEqual(['1  note="a\\nb\\u{202e}c\\u{200b}d\\ud800"']);
});
