import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ExportOptions, exportLedger } from '../../src/audit/export.ts';
import { toLine } from '../../src/ledger/chain.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { folder } from '../helpers/ledger/samples.ts';
import { chain } from '../helpers/record/entries.ts';

const actor = { id: '1400000000000000002', name: 'bob', roles: [] };
const place = { guild: '1100000000000000001', channel: '1300000000000000001' };
const boot = (run: string, id: number, name: string): NewEntry => ({
  run,
  kind: 'outcome',
  actor,
  command: 'power.boot',
  options: { server: String(id) },
  server: { id, name },
  place,
  outcome: 'accepted',
});
/** At 08:00:00, 08:00:01 and 08:00:02. */
const entries = chain([
  boot('a.1', 101, 'web-1'),
  boot('b.1', 102, 'web-2'),
  { kind: 'incident', actor, incident: '1500000000000000001', step: 'opened', place, title: 'x' },
]);
const now = Date.UTC(2026, 10, 20, 9);

/** The exit code, what was written, and what was said. */
async function exported(options: Partial<ExportOptions> = {}, dataDir?: string) {
  const written: Uint8Array[] = [];
  const said: string[] = [];
  const code = await exportLedger(
    { format: 'jsonl', ...options },
    entries,
    (bytes) => written.push(Buffer.from(bytes)),
    {
      say: (line) => void said.push(line),
      now,
      dataDir,
      roleName: (id) => (id === '1200000000000000003' ? 'lead' : undefined),
    },
  );
  return { code, text: Buffer.concat(written).toString(), said: said.join('\n') };
}

const lines = (...at: number[]): string =>
  at.map((i) => `${entries[i] === undefined ? '' : toLine(entries[i])}\n`).join('');

describe('panelops audit export', () => {
  it('writes the lines of the ledger when nothing is said, and what they are to people', async () => {
    const { code, text, said } = await exported();
    expect([code, text]).toEqual([0, lines(0, 1, 2)]);
    expect(said).toMatch(
      /^panelops-2026-11-20-1-3\.jsonl: 3 entries, from no\. 1 \(2026-11-20T08:00:00\.000Z\) to no\. 3 \(2026-11-20T08:00:02\.000Z\), SHA-256 [0-9a-f]{64}$/,
    );
  });

  it.each([
    [{ server: 'WEB-2' }, lines(1)],
    [{ server: '101' }, lines(0)],
    [{ server: 'web-2 (102, production)' }, lines(1)],
    [{ server: 'web-1\u200b' }, lines(0)],
    [{ since: '2026-11-20\u00a008:00:02' }, lines(2)],
    [{ incident: '1500000000000000001' }, lines(2)],
    [{ since: '2026-11-20 08:00:01', until: '2026-11-20 08:00:02' }, lines(1)],
    [{ since: '2h', until: '2026-11-20' }, lines(0, 1, 2)],
  ])('takes %j', async (options, text) => {
    expect(await exported(options)).toMatchObject({ code: 0, text });
  });

  it('writes a new file, for its owner alone, and leaves one that is there', async () => {
    const dir = folder();
    const file = join(dir, 'record.csv');
    expect(await exported({ format: 'csv', out: file })).toMatchObject({ code: 0, text: '' });
    expect(readFileSync(file, 'utf8')).toBe((await exported({ format: 'csv' })).text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await exported({ format: 'md', out: file });
    expect([again.code, again.said]).toEqual([1, `${file} already exists: name another file.`]);
    expect(readFileSync(file, 'utf8')).toMatch(/^seq,time,/);
    const none = join(dir, 'no', 'such');
    expect((await exported({ out: none })).said).toBe(`${none} cannot be written (ENOENT).`);
    expect(readdirSync(dir)).toEqual(['record.csv']);
  });

  it('writes nothing into the folder of the ledger, where it would be taken for one', async () => {
    const dir = folder();
    const out = join(dir, 'ledger-2026-11.jsonl');
    expect(await exported({ out }, dir)).toEqual({
      code: 1,
      text: '',
      said: `${out} is in DATA_DIR, the folder of the ledger itself: name a file elsewhere. Nothing was written.`,
    });
    expect(readdirSync(dir)).toEqual([]);
    expect((await exported({ out }, join(dir, 'data'))).code).toBe(0);
  });

  it.each([
    [{ since: 'last week' }, '--since last week: this is not a time. Write 2h'],
    [{ until: '2026-13-01' }, '--until 2026-13-01'],
    [{ since: '1h', until: '2h' }, '--until: it is not after --since'],
    [{ server: 'web-1 (102)' }, '--server web-1 (102): the ledger has no such server'],
    [{ server: 'web-9' }, '--server web-9: the ledger has no such server'],
    [{ incident: '1' }, '--incident 1: the ledger has no such incident'],
  ])('names what it does not understand: %j', async (options, named) => {
    const { code, text, said } = await exported(options);
    expect([code, text]).toEqual([78, '']);
    expect(said.split('\n')[0]).toContain(named);
  });

  it('writes nothing when nothing is like that', async () => {
    expect(await exported({ since: '1m' })).toEqual({
      code: 1,
      text: '',
      said: 'No entry matches, so nothing was written.',
    });
  });
});
