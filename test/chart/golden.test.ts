import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../commands/capacity.ts';
import { draw } from '../../src/chart/draw.ts';
import { loadEasel } from '../../src/chart/easel.ts';
import { cases, chartOf, entry } from '../helpers/chart/cases.ts';
import { decode, difference } from '../helpers/chart/compare.ts';

const golden = fileURLToPath(new URL('golden', import.meta.url));
/** `UPDATE_GOLDEN=1 npx vitest …` makes them again: look at each before it is kept. */
const update = process.env['UPDATE_GOLDEN'] !== undefined;
/** The share of a strip's pixels that may differ. Another digit is some 0.13 %. */
const tolerance = 0.0005;

/** Fails with where the two pictures and their difference can be looked at. */
async function looksLike(name: string, drawn: Uint8Array): Promise<void> {
  const path = join(golden, `${name}.png`);
  if (update) {
    mkdirSync(golden, { recursive: true });
    writeFileSync(path, drawn);
    return;
  }
  if (!existsSync(path)) expect.fail(`${path} is missing: make it with UPDATE_GOLDEN=1`);
  const kept = readFileSync(path);
  if (kept.equals(drawn)) return;
  const [is, should] = [await decode(drawn), await decode(kept)];
  const size = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`;
  const same = size(is) === size(should);
  const { share, png } = same ? difference(is, should) : { share: 1, png: undefined };
  if (share <= tolerance) return;
  const folder = join(tmpdir(), 'panelops-chart');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.drawn.png`), drawn);
  if (png !== undefined) writeFileSync(join(folder, `${name}.difference.png`), png);
  const what = same
    ? `${(share * 100).toFixed(3)} % of a strip's pixels differ`
    : `${size(is)} instead of ${size(should)}`;
  expect.fail(`${name}: ${what}. Golden: ${path}. Drawn${png === undefined ? '' : ' and difference'}: ${folder}`);
}

describe('a chart looks as it should', () => {
  it.each(Object.entries(cases))('%s', async (name, chart) => {
    await looksLike(name, draw(await loadEasel(), chart));
  });

  it.each<[string, Parameters<typeof entry>[1]]>([
    ['digit', { servers: [50, 13] }],
    ['letter', { name: 'frb-1' }],
    ['limit that is gone over', { memory: [262_144, 262_145] }],
    ['limit that is none', { cores: [0, 24] }],
  ])('and another %s is noticed', async (_what, special) => {
    const easel = await loadEasel();
    const picture = (each: Entry) => decode(draw(easel, chartOf([each])));
    const { share } = difference(await picture(entry(1)), await picture(entry(1, special)));
    expect(share).toBeGreaterThan(tolerance);
  });
});

describe('a chart', () => {
  it('is the same bytes for the same input, whatever was drawn before', async () => {
    const easel = await loadEasel();
    const all = Object.values(cases);
    const first = all.map((chart) => Buffer.from(draw(easel, chart)));
    const again = all.toReversed().map((chart) => Buffer.from(draw(easel, chart)));
    for (const [i, bytes] of again.toReversed().entries()) expect(bytes.equals(first[i] ?? Buffer.alloc(0))).toBe(true);
  });

  it('is a PNG, two pixels for each of the 400 that a phone is wide', async () => {
    const bytes = Buffer.from(draw(await loadEasel(), chartOf([entry(1)])));
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(bytes.readUInt32BE(16)).toBe(800);
  });
});
