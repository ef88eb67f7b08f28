import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { exportLedger } from '../../../src/audit/export.ts';
import { large } from '../../helpers/audit/large.ts';
import { canFillDisk } from '../../soak/bot.ts';

const built = (file: string): string => new URL(`../../../dist/src/${file}`, import.meta.url).href;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'panelops-short-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});
const at = (name: string): string => join(dir, name);

/** Runs a script in a process whose files take but 1000 bytes: the write that passes that is a short one. */
function within1000(script: string): string {
  const { stdout, stderr } = spawnSync(
    'prlimit',
    ['--fsize=1000:', process.execPath, '--input-type=module', '-e', script],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  expect(stderr).toBe('');
  return stdout;
}

describe.skipIf(!canFillDisk)('a disk that fills up in the middle of a file', () => {
  it('leaves no half of an export, and the next one gets its name', async () => {
    const entries = large(20);
    writeFileSync(at('entries.json'), JSON.stringify(entries));
    const said = within1000(`
      import { readFileSync } from 'node:fs';
      import { exportLedger } from '${built('audit/export.js')}';
      const entries = JSON.parse(readFileSync('${at('entries.json')}', 'utf8'));
      const say = (line) => console.log(line);
      console.log(await exportLedger({ format: 'jsonl', out: '${at('record.jsonl')}' }, entries, say, { say }));`);
    expect(said).toBe(`${at('record.jsonl')} cannot be written (EFBIG).\n1\n`);
    expect(readdirSync(dir)).toEqual(['entries.json']);
    const quiet = (): void => undefined;
    expect(await exportLedger({ format: 'jsonl', out: at('record.jsonl') }, entries, quiet, { say: quiet })).toBe(0);
  });
});
