import { statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepCompiled } from '../../src/cli/start.ts';
import { readRoot } from '../helpers/house.ts';
import { folder } from '../helpers/ledger/samples.ts';

it('What is compiled is kept in the data folder, for the bot alone, where Node can keep it', async () => {
  const dir = folder();
  await keepCompiled(dir);
  const kept = statSync(join(dir, 'compiled'), { throwIfNoEntry: false });
  expect(kept === undefined ? undefined : kept.mode & 0o777).toBe('enableCompileCache' in module ? 0o700 : undefined);
});

it('A start goes on where it cannot be kept', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'a file'), '');
  await expect(keepCompiled(join(dir, 'a file'))).resolves.toBeUndefined();
});

it('An address of a host has two seconds to answer before the next one is tried', () => {
  expect(readRoot('src/main.ts')).toContain('\nsetDefaultAutoSelectFamilyAttemptTimeout(2_000);\n');
});
