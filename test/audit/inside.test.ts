import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { isInside } from '../../src/audit/place.ts';
import { folder } from '../helpers/ledger/samples.ts';

let top: string;
/** Not normalized, as it is typed. */
const at = (path: string): string => `${top}/${path}`;
beforeEach(() => {
  top = folder();
  for (const name of ['data/copies', 'else/where', 'database']) mkdirSync(join(top, name), { recursive: true });
  symlinkSync(join(top, 'data/copies'), join(top, 'link'));
  symlinkSync(join(top, 'else/where'), join(top, 'away'));
  symlinkSync(join(top, 'data'), join(top, 'alias'));
  writeFileSync(join(top, 'file'), '');
});

it.each([
  ['data/x', true],
  ['data/copies/x', true],
  ['else/../data/x', true],
  ['alias/x', true],
  ['link/x', true],
  // The parent of what the link leads to, and not of the link.
  ['link/../x', true],
  ['away/../../data/x', true],
  ['link/../../else/x', false],
  ['away/../data/x', false],
  ['x', false],
  ['database/x', false],
  ['data/none/x', false],
  ['file/x', false],
])('%s is in the folder: %s', async (path, isIn) => {
  expect(await isInside(at('data'), at(path))).toBe(isIn);
  expect(await isInside(at('alias'), at(path))).toBe(isIn);
});

it('nothing is in a folder that is not there', async () => {
  expect(await isInside(at('none'), at('none/x'))).toBe(false);
});
