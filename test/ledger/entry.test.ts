import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toLine, verify } from '../../src/ledger/chain.ts';
import type { NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { asked, intent, outcome } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { chain as sealed } from '../helpers/record/entries.ts';

const zeros = '0000000000000000000000000000000000000000000000000000000000000000';
// Both hashes were computed with sha256sum over texts typed by hand.
const firstHash = '8669410c25beae13ffc88ff4c17137cac062714138ecba3831f6bbdc48770e82';
const secondHash = '2bcfcd6b678c0315cae68a0503cf70a8e5546f561c50a1ff02c8b5e07f2a5ea1';
const web1 = { server: { id: 101, name: 'web-1' } };
const first = { ...intent('9kq3v1x7m2a.1'), ...web1 };
const firstLine = `{"actor":{"id":"1100000000000000002","name":"bob","roles":["1200000000000000002"]},"command":"firewall.flush","hash":"${firstHash}","kind":"intent","options":{"server":"web-1","sync":true},"place":{"channel":"1300000000000000001","guild":"1000000000000000001","message":"1400000000000000001"},"prev":"${zeros}","run":"9kq3v1x7m2a.1","seq":1,"server":{"id":101,"name":"web-1"},"time":"2026-11-19T22:00:00.000Z"}`;
const secondLine = `{"actor":{"id":"1100000000000000002","name":"bob","roles":["1200000000000000002"]},"command":"firewall.flush","hash":"${secondHash}","kind":"outcome","options":{"server":"web-1","sync":true},"outcome":"unknown","place":{"channel":"1300000000000000001","guild":"1000000000000000001","message":"1400000000000000001"},"prev":"${firstHash}","reason":"timeout","run":"9kq3v1x7m2a.1","seq":2,"server":{"id":101,"name":"web-1"},"time":"2026-11-19T22:00:15.000Z"}`;

/** A changed line with the hash that fits: whoever can write into the file can hash. */
function resealed(line: string): string {
  const [member = '', hash = ''] = /"hash":"([0-9a-f]{64})",/.exec(line) ?? [];
  return line.replace(hash, createHash('sha256').update(line.replace(member, '')).digest('hex'));
}

describe('The chain', () => {
  test('hashes an entry as SHA-256 of its JSON with sorted keys, beginning at 64 zeros', () => {
    const sealed = seal(first, 1, '2026-11-19T22:00:00.000Z', zeros);
    expect(sealed.hash).toBe(firstHash);
    expect(toLine(sealed)).toBe(firstLine);
  });

  test('does not depend on the order in which the keys of an entry were written', () => {
    const reversed = Object.fromEntries(Object.entries(first).reverse());
    // Object.fromEntries forgets the type of what it was given.
    const sealed = seal(reversed as unknown as NewEntry, 1, '2026-11-19T22:00:00.000Z', zeros);
    expect(sealed.hash).toBe(firstHash);
  });

  test('verifies two entries typed by hand', () => {
    expect(verify([firstLine, secondLine])).toEqual({ ok: true, count: 2, head: secondHash });
  });

  test.each([
    ['a space', '"seq":1', '"seq": 1'],
    ['an escape for a letter', '"name":"bob"', '"name":"\\u0062ob"'],
    ['a number in another form', '"id":101', '"id":1.01e2'],
    ['a member twice', '"seq":1', '"seq":1,"seq":1'],
    ['members in another order', '"id":101,"name":"web-1"', '"name":"web-1","id":101'],
    ['a kind that there is not', '"kind":"intent"', '"kind":"wish"'],
    ['a number for a text', '"name":"bob"', '"name":7'],
    ['a member that is missing', '"command":"firewall.flush",', ''],
  ])('takes %s for a change, although the hash fits', (_what, from, to) => {
    const line = resealed(firstLine.replace(from, to));
    expect(line).not.toBe(firstLine);
    expect(verify([line])).toEqual({ ok: false, seq: 1, problem: 'entry 1 was changed' });
  });

  test('sorts keys that are numbers as texts, as no object has them', () => {
    const options = { server: 'web-1', '9': 1, '10': 1 };
    const line = toLine(seal({ ...asked('abc.1'), options }, 1, '2026-11-19T22:00:00.000Z', zeros));
    expect(line).toContain('"options":{"10":1,"9":1,"server":"web-1"}');
    expect(verify([line])).toMatchObject({ ok: true, count: 1 });
    expect(verify([resealed(line.replace('"10":1,"9":1', '"9":1,"10":1'))])).toMatchObject({ ok: false, seq: 1 });
  });

  test('names an entry whose predecessor was exchanged for another sound one', () => {
    const forged = toLine(seal(outcome('9kq3v1x7m2a.1'), 1, '2026-11-19T22:00:00.000Z', zeros));
    expect(verify([forged, secondLine])).toEqual({ ok: false, seq: 2, problem: 'entry 2 does not follow entry 1' });
  });
});

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
);
const anyEntry = fc.record({
  actor: fc.record({ id: fc.string(), name: fc.string({ unit: 'binary' }), roles: fc.array(fc.string()) }),
  options: fc.dictionary(fc.string(), scalar),
  facts: fc.dictionary(fc.string(), scalar),
  said: fc.string({ unit: 'binary' }),
});
const anyRuns = fc.array(anyEntry, { minLength: 2, maxLength: 8 }).map((several) =>
  several.flatMap((extra, run): NewRunEntry[] => [
    { ...asked(`abc.${run + 1}`), ...extra },
    { ...outcome(`abc.${run + 1}`), ...extra },
  ]),
);

const chain = (entries: readonly NewEntry[]): string[] => sealed(entries).map(toLine);

describe('Any sequence of runs', () => {
  test('gives a chain that verifies, with one line an entry', () => {
    fc.assert(
      fc.property(anyRuns, (entries) => {
        const lines = chain(entries);
        expect(verify(lines)).toMatchObject({ ok: true, count: entries.length });
        expect(lines.join('\n').split('\n')).toEqual(lines);
      }),
    );
  });

  test('shows which entry was removed', () => {
    fc.assert(
      fc.property(anyRuns, fc.nat(), (entries, pick) => {
        const lines = chain(entries);
        const at = pick % (lines.length - 1);
        expect(verify(lines.toSpliced(at, 1))).toMatchObject({ ok: false, seq: at + 1 });
      }),
    );
  });

  test('shows by its head that the last entry was removed', () => {
    fc.assert(
      fc.property(anyRuns, (entries) => {
        const lines = chain(entries);
        const whole = verify(lines);
        expect(verify(lines.slice(0, -1))).not.toEqual(whole);
      }),
    );
  });

  test('shows the first of two entries that changed places', () => {
    fc.assert(
      fc.property(anyRuns, fc.nat(), fc.nat(), (entries, a, b) => {
        const lines = chain(entries);
        const from = a % (lines.length - 1);
        const to = from + 1 + (b % (lines.length - 1 - from));
        const swapped = lines.with(from, lines[to] ?? '').with(to, lines[from] ?? '');
        expect(verify(swapped)).toMatchObject({ ok: false, seq: from + 1 });
      }),
    );
  });
});
