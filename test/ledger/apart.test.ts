import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyApart } from '../../src/ledger/apart.ts';
import { genesis, toLine } from '../../src/ledger/chain.ts';
import { joinedHead, readSegments, verifySegments } from '../../src/ledger/segments.ts';
import type { Entry } from '../../src/runs/entry.ts';
import { startsFrom } from '../helpers/ledger/months.ts';
import { asked, intent, outcome } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';

const program = new URL('../../dist/src/audit/thread.js', import.meta.url);

/** A bot's ledger of three months, the last of them in the live file. */
async function ledgerOfMonths() {
  const { dir, clock, start } = startsFrom('');
  const ledger = await start();
  const actor = { id: 'panelops', name: 'panelops', roles: [] };
  for (let month = 0; month < 3; month += 1) {
    clock.time = new Date(Date.UTC(2026, month, 1)).toISOString();
    await ledger.append([{ kind: 'started', actor, owner: `process ${month}`, facts: {} }]);
    await ledger.append([asked(`b${month}.1`), intent(`a${month}.1`), outcome(`a${month}.1`)]);
  }
  return { dir, ledger };
}

/** What threads find, and what is found one after the other. */
async function judged(dir: string) {
  const segments = await readSegments(dir);
  const verified = await verifyApart(segments, 2, program);
  const inTurn = verifySegments(segments);
  return { verified, apart: verified && joinedHead(segments, verified), inTurn: inTurn.ok ? inTurn.head : undefined };
}

describe('files of a ledger that threads verify, each by itself', () => {
  it('have the head, the lines and the entries of no run that they have one after the other', async () => {
    const { dir, ledger } = await ledgerOfMonths();
    const { verified = [], apart, inTurn } = await judged(dir);
    expect(apart).toEqual({ seq: 12, hash: ledger.head().hash });
    expect(apart).toEqual(inTurn);
    expect(verified.flatMap(({ events }) => events)).toEqual(ledger.entries().events);
    const lines = readFileSync(join(dir, 'ledger-2026-02.jsonl'), 'utf8').split('\n').slice(0, -1);
    const entries = lines.map((line): Entry => JSON.parse(line));
    expect([...(verified[1]?.sizes ?? [])]).toEqual(lines.map((line) => Buffer.byteLength(line) + 1));
    expect([...(verified[1]?.marks ?? [])]).toEqual(entries.map(({ hash }) => Number.parseInt(hash.slice(0, 13), 16)));
    expect([...(verified[1]?.times ?? [])]).toEqual(entries.map(({ time }) => Date.parse(time)));
  });

  const february = (dir: string): string => join(dir, 'ledger-2026-02.jsonl');
  const change = (file: string, to: (text: string) => string): void =>
    writeFileSync(file, to(readFileSync(file, 'utf8')));
  /** All that is in a file, sealed again after a head: a chain of its own. */
  const sealedAfter = (text: string, head: { seq: number; hash: string }): string => {
    let { seq, hash } = head;
    const entries = text
      .split('\n')
      .slice(0, -1)
      .map((line): Entry => JSON.parse(line));
    return entries
      .map(({ seq: _s, prev: _p, hash: _h, time, ...entry }) => {
        const sealed = seal(entry, seq + 1, time, hash);
        ({ seq, hash } = sealed);
        return `${toLine(sealed)}\n`;
      })
      .join('');
  };

  it.each<[string, (dir: string) => void]>([
    ['a byte of one is another', (dir) => change(february(dir), (text) => text.replace('"process 1"', '"process 7"'))],
    ['a line is gone', (dir) => change(february(dir), (text) => text.slice(text.indexOf('\n') + 1))],
    ['one has no end', (dir) => change(february(dir), (text) => text.slice(0, -1))],
    ['one is empty', (dir) => change(february(dir), () => '')],
    ['one is gone', (dir) => rmSync(february(dir))],
    ['the first is gone', (dir) => rmSync(join(dir, 'ledger-2026-01.jsonl'))],
    [
      'one was sealed again',
      (dir) => change(february(dir), (text) => sealedAfter(text, { seq: 4, hash: 'f'.repeat(64) })),
    ],
    ['one is another ledger', (dir) => change(february(dir), (text) => sealedAfter(text, genesis))],
    ['one has the name of another month', (dir) => renameSync(february(dir), join(dir, 'ledger-2026-05.jsonl'))],
  ])('are no ledger where %s', async (_what, damage) => {
    const { dir } = await ledgerOfMonths();
    damage(dir);
    const { apart, inTurn } = await judged(dir);
    expect({ apart, inTurn }).toEqual({ apart: undefined, inTurn: undefined });
  });

  it('are left to one after the other where no thread can begin', async () => {
    const { dir } = await ledgerOfMonths();
    const segments = await readSegments(dir);
    expect(await verifyApart(segments, 2, new URL('file:///nowhere.js'))).toBeUndefined();
  });
});
