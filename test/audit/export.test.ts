import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportLedger } from '../../src/audit/export.ts';
import { toLine } from '../../src/ledger/chain.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
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
async function exported(...args: string[]) {
  const written: Uint8Array[] = [];
  const said: string[] = [];
  const code = await exportLedger(args, entries, (bytes) => written.push(Buffer.from(bytes)), {
    say: (line) => void said.push(line),
    now,
    roleName: (id) => (id === '1200000000000000003' ? 'lead' : undefined),
  });
  return { code, text: Buffer.concat(written).toString(), said: said.join('\n') };
}

const lines = (...at: number[]): string =>
  at.map((i) => `${entries[i] === undefined ? '' : toLine(entries[i])}\n`).join('');

describe('npm run audit -- export', () => {
  it('writes the lines of the ledger when nothing is said, and what they are to people', async () => {
    const { code, text, said } = await exported();
    expect([code, text]).toEqual([0, lines(0, 1, 2)]);
    expect(said).toMatch(
      /^panelops-2026-11-20-1-3\.jsonl: 3 entries, from no\. 1 \(2026-11-20T08:00:00\.000Z\) to no\. 3 \(2026-11-20T08:00:02\.000Z\), SHA-256 [0-9a-f]{64}$/,
    );
  });

  it.each([
    [['--server', 'WEB-2'], lines(1)],
    [['--server=101'], lines(0)],
    [['--incident', '1500000000000000001'], lines(2)],
    [['--since', '2026-11-20 08:00:01', '--until', '2026-11-20 08:00:02'], lines(1)],
    [['--since', '2h', '--until', '2026-11-20'], lines(0, 1, 2)],
  ])('takes %j', async (args, text) => {
    expect(await exported(...args)).toMatchObject({ code: 0, text });
  });

  it('writes a new file, for its owner alone, and leaves one that is there', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'panelops-audit-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, 'record.csv');
    expect(await exported('--format', 'csv', '--out', file)).toMatchObject({ code: 0, text: '' });
    expect(readFileSync(file, 'utf8')).toBe((await exported('--format', 'csv')).text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await exported('--format', 'md', '--out', file);
    expect([again.code, again.said]).toEqual([1, `${file} is there already: name another file.`]);
    expect(readFileSync(file, 'utf8')).toMatch(/^seq,time,/);
    expect((await exported('--out', join(dir, 'no', 'such'))).said).toContain('cannot be written');
  });

  it.each([
    [['--fromat', 'csv'], '--fromat'],
    [['csv'], 'csv'],
    [['--format'], '--format'],
    [['--format', 'pdf'], '--format pdf: it is jsonl, csv, md'],
    [['--since', 'yesterday'], '--since yesterday'],
    [['--until', '2026-13-01'], '--until 2026-13-01'],
    [['--since', '1h', '--until', '2h'], '--until: it is not after --since'],
    [['--server', 'web-9'], '--server web-9: the ledger has no such server'],
    [['--incident', '1'], '--incident 1: the ledger has no such incident'],
  ])('names what it does not understand: %j', async (args, named) => {
    const { code, text, said } = await exported(...args);
    expect([code, text]).toEqual([78, '']);
    expect(said.split('\n')[0]).toContain(named);
    expect(said).toContain('npm run audit -- export [--format jsonl|csv|md]');
  });

  it('writes nothing when nothing is like that', async () => {
    expect(await exported('--since', '1m')).toEqual({
      code: 1,
      text: '',
      said: 'Nothing is recorded like that, so nothing was written.',
    });
  });
});
