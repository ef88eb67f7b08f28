import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Block, openSearch } from '../../src/ledger/apart.ts';
import { toLine } from '../../src/ledger/chain.ts';
import { markOf } from '../../src/runs/entries.ts';
import { folder } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { large } from '../helpers/record/entries.ts';

const program = new URL('../../dist/src/audit/thread.js', import.meta.url);
const entries = large(300);
const lines = entries.map((entry) => `${toLine(entry)}\n`);

/** From the second line to the last but one. `text`: what stands in the file. */
function blockOf(text = lines.join('')): Block {
  const file = join(folder(), 'ledger.jsonl');
  writeFileSync(file, text);
  const fd = openSync(file, 'r');
  onTestFinished(() => closeSync(fd));
  let end = 0;
  const sizes = lines.map((line) => Buffer.byteLength(line));
  const ends = Float64Array.from(sizes.slice(1, -1), (size) => {
    end += size;
    return end;
  });
  return { fd, start: sizes[0] ?? 0, ends, marks: Float64Array.from(entries.slice(1, -1), ({ hash }) => markOf(hash)) };
}

function searchFor(texts: readonly string[], by = program) {
  const search = openSearch(texts, by);
  onTestFinished(search.close);
  return search;
}

const withDenied = lines.slice(1, -1).flatMap((line, at) => (line.includes('"kind":"denied"') ? [at] : []));

describe('a search of lines', () => {
  it('finds in a thread what it finds here, the last first', async () => {
    const search = searchFor(['"kind":"denied"', 'no such']);
    const block = blockOf();
    expect(withDenied.length).toBeGreaterThan(5);
    expect(await search.apart(block)).toEqual({ found: withDenied.toReversed() });
    expect(search.here(block)).toEqual({ found: withDenied.toReversed() });
  });

  it.each([
    ['a letter', (line: string) => line.replace('firewall.', 'firewalk.')],
    ['its hash', (line: string) => line.replace(/"hash":"(.{60}).{4}/, '"hash":"$10000')],
    [
      'the letter behind its hash',
      (line: string) => line.replace(/("hash":"[^"]{64}",)/, (found) => found.replace('",', '" ')),
    ],
  ])('names a line in which somebody changed %s', async (_, change) => {
    const text = lines.with(7, change(lines[7] ?? '')).join('');
    expect(text).not.toBe(lines.join(''));
    expect(await searchFor(['no such']).apart(blockOf(text))).toEqual({ changed: 6 });
  });

  it('names a line in the place of which somebody put another whole entry', () => {
    const [replaced] = entries.slice(7);
    if (replaced === undefined) throw new Error('it has eight entries');
    const { seq, prev, hash: _hash, time: _time, ...entry } = replaced;
    const other = `${toLine(seal(entry, seq, '2020-01-01T00:00:00.000Z', prev))}\n`;
    expect(searchFor([]).here(blockOf(lines.with(7, other).join('')))).toEqual({ changed: 6 });
  });

  it.each(['file:///nowhere.js', 'http://127.0.0.1/cannot-begin'])('goes on here without a thread: %s', async (by) => {
    const search = searchFor(['"kind":"denied"'], new URL(by));
    for (let n = 0; n < 2; n += 1) expect(await search.apart(blockOf())).toEqual({ found: withDenied.toReversed() });
  });
});
