import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { root } from '../../helpers/house.ts';

const folder = join(root, 'dist/page');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile());

it('the built page has at most 250 kB in all, compressed', () => {
  const sizes = files.map((path) => gzipSync(readFileSync(path)).byteLength);
  expect(files.length).toBeGreaterThan(3);
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(250_000);
});

it('the built page names no address elsewhere from which something could be loaded', () => {
  const loaded = /(?:src|href)=["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|import\(["'](?:https?:)?\/\//;
  expect(files.filter((path) => loaded.test(readFileSync(path, 'utf8')))).toEqual([]);
});
