import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupOf, save } from '../../src/setup/save.ts';
import { folder } from '../helpers/ledger/samples.ts';

const at = Date.parse('2026-11-23T01:15:00Z');

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

it('keeps the old file beside the new one, both for their owner alone', () => {
  const path = join(folder(), '.env');
  writeFileSync(path, 'A=1\n');
  chmodSync(path, 0o644);
  save([{ before: { path, text: 'A=1\n' }, text: 'A=2\n', mode: 0o600 }], at);
  const backup = `${path}.bak-2026-11-23T01-15-00`;
  expect([readFileSync(path, 'utf8'), mode(path)]).toEqual(['A=2\n', '600']);
  expect([readFileSync(backup, 'utf8'), mode(backup)]).toEqual(['A=1\n', '600']);
});

it('gives nobody a right to a file that was closed to them', () => {
  const path = join(folder(), 'policy.yaml');
  writeFileSync(path, 'old', { mode: 0o640 });
  save([{ before: { path, text: 'old' }, text: 'new', mode: 0o644 }], at);
  expect(mode(path)).toBe('640');
});

it('writes nothing where one of two files cannot be written', () => {
  const dir = folder();
  const env = join(dir, '.env');
  writeFileSync(env, 'A=1\n');
  const writings = [
    { before: { path: env, text: 'A=1\n' }, text: 'A=2\n', mode: 0o600 },
    { before: { path: join(dir, 'gone', 'policy.yaml') }, text: 'roles: []\n', mode: 0o644 },
  ];
  expect(() => save(writings, at)).toThrow('The files cannot be written (ENOENT). Nothing was written.');
  expect(readdirSync(dir)).toEqual(['.env']);
  expect(readFileSync(env, 'utf8')).toBe('A=1\n');
});

it('writes nothing where a folder has the place of a file', () => {
  const dir = folder();
  mkdirSync(join(dir, 'policy.yaml'));
  writeFileSync(join(dir, '.env'), 'A=1\n');
  const env = { before: { path: join(dir, '.env'), text: 'A=1\n' }, text: 'A=2\n', mode: 0o600 };
  const policy = { before: { path: join(dir, 'policy.yaml') }, text: 'roles: []\n', mode: 0o644 };
  expect(() => save([env, policy], at)).toThrow('The files cannot be written (EISDIR). Nothing was written.');
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe('A=1\n');
});

it('leaves a file alone that somebody changed meanwhile', () => {
  const path = join(folder(), 'policy.yaml');
  writeFileSync(path, 'theirs');
  const writing = { before: { path, text: 'old' }, text: 'new', mode: 0o644 };
  expect(() => save([writing], at)).toThrow('policy.yaml was changed while setup ran. Nothing was written.');
  expect(readFileSync(path, 'utf8')).toBe('theirs');
});

it("leaves somebody's own .env.new alone, whether it writes or fails", () => {
  const dir = folder();
  writeFileSync(join(dir, '.env.new'), 'mine');
  const env = { before: { path: join(dir, '.env') }, text: 'A=2\n', mode: 0o600 };
  const gone = { before: { path: join(dir, 'gone', 'policy.yaml') }, text: '', mode: 0o644 };
  expect(() => save([env, gone], at)).toThrow('Nothing was written.');
  expect(readdirSync(dir)).toEqual(['.env.new']);
  save([env], at);
  expect(readdirSync(dir)).toEqual(['.env', '.env.new']);
  expect(readFileSync(join(dir, '.env.new'), 'utf8')).toBe('mine');
});

it('removes no backup that it did not make', () => {
  const path = join(folder(), '.env');
  writeFileSync(path, 'A=1\n');
  writeFileSync(backupOf(path, at), 'mine');
  expect(() => save([{ before: { path, text: 'A=1\n' }, text: 'A=2\n', mode: 0o600 }], at)).toThrow('(EEXIST)');
  expect(readFileSync(backupOf(path, at), 'utf8')).toBe('mine');
});
