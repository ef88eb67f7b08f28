import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seal, toLine, verify } from '../../src/ledger/chain.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { accepted, asked, denied, intent, outcome, started, step } from '../helpers/ledger/samples.ts';
import { tries } from '../helpers/tries.ts';

const zeros = '0'.repeat(64);
const bot = { id: '0', name: 'panelops', roles: [] };
const place = { guild: '1', channel: '2' };
const samples: readonly NewEntry[] = [
  ...[asked('a.1'), intent('a.1'), outcome('a.1', 'no "such"\n\u0007 Würfel \ud800'), denied('a.1'), accepted('a.1')],
  ...[started('a.1'), step('a.1', { step: 'ended', end: 'failed' }), step('a.1', { step: 'reminded', n: 3 })],
  { kind: 'started', actor: bot, owner: 'x', facts: { audit: '13', version: '1' } },
  { kind: 'tampered', actor: bot, finding: 'deleted', channel: '1', message: '2', from: 1, to: 2, unsaid: true },
  { kind: 'acknowledged', actor: bot, findings: [4, 5], why: 'we looked', place },
  { kind: 'incident', actor: bot, incident: '1', step: 'opened', title: 'disk', place },
  {
    kind: 'incident',
    actor: bot,
    incident: '1',
    step: 'looked',
    place,
    look: { command: 'c', options: {}, outcome: 'failed' },
  },
];

/** What somebody who writes into the file may put into a line, in the place of what is there. */
const pieces = [
  ...[
    '"',
    '\\',
    '\\"',
    '\\/',
    '\\u0041',
    '\\u0007',
    '\\u001F',
    '\\n',
    '\n',
    '\u0001',
    '\u007f',
    'ü',
    '\ud800',
    '{',
    '}',
  ],
  ...['[', ']', ',', ':', ' ', '', '0', '-', '-0', '01', '1.0', '1.5', '1e3', '9007199254740993', 'true', 'null', 'x'],
  ...[
    '"kind":"nonsense"',
    '"outcome":"maybe"',
    '"step":"ended"',
    '"reason":"because"',
    '"zzz":1',
    ',"seq":2',
    '[]',
    '{}',
  ],
];

/** With the hash that the text would have: who can write can hash. */
function hashed(line: string): string {
  const body = line.replace(/"hash":"[0-9a-f]{64}",/, '');
  const hash = createHash('sha256').update(body).digest('hex');
  return line.replace(/"hash":"[0-9a-f]{64}",/, `"hash":"${hash}",`);
}

/** Whether a line is good where nothing is known yet, so that it is parsed and held against the schema. */
const alone = (line: string, prev: string): boolean => verify([line], undefined, { seq: 1, hash: prev }).ok;

test('A line is judged alike, whether or not one like it was seen before', () => {
  const change = fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.constantFrom(...pieces));
  const spots = fc.array(change, { minLength: 1, maxLength: 2 });
  let [good, bad] = [0, 0];
  fc.assert(
    fc.property(fc.constantFrom(...samples), spots, (entry, changes) => {
      const first = seal(entry, 1, '2026-11-19T22:00:00.000Z', zeros);
      const next = toLine(seal(entry, 2, '2026-11-19T22:00:01.000Z', first.hash));
      const changed = changes.reduce((text, [at, length, piece]) => {
        const from = at % text.length;
        return `${text.slice(0, from)}${piece}${text.slice(from + length)}`;
      }, next);
      const line = hashed(changed);
      const isGood = alone(line, first.hash);
      expect(verify([toLine(first), line]).ok, line).toBe(isGood);
      if (isGood) good += 1;
      else bad += 1;
    }),
    { numRuns: tries(4_000) },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(tries(4_000) / 40);
});

test('No value with a closed list can be exchanged for another behind a line of the same form', () => {
  for (const entry of samples) {
    const first = seal(entry, 1, '2026-11-19T22:00:00.000Z', zeros);
    const next = toLine(seal(entry, 2, '2026-11-19T22:00:01.000Z', first.hash));
    for (const { index, 0: text } of next.matchAll(/:("(?:[^"\\]|\\.)*"|true|\d+)/g)) {
      for (const other of ['"nonsense"', '1', 'false', '1.5', '"ended"']) {
        const line = hashed(`${next.slice(0, index)}:${other}${next.slice(index + text.length)}`);
        expect(verify([toLine(first), line]).ok, line).toBe(alone(line, first.hash));
      }
    }
  }
});

test('A lone surrogate, which a file cannot hold, is spelled as an escape and read again', () => {
  const first = seal(outcome('a.1', 'x\ud800y'), 1, '2026-11-19T22:00:00.000Z', zeros);
  const second = seal(outcome('a.1', '\udfffz'), 2, '2026-11-19T22:00:01.000Z', first.hash);
  const read: unknown[] = [];
  expect(verify([first, second].map(toLine), (entry) => read.push(entry))).toMatchObject({ ok: true });
  expect(read).toEqual([first, second]);
});
