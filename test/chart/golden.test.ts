import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../commands/capacity.ts';
import { draw, loadEasel } from '../../src/chart/draw.ts';
import { cases, chartOf, entry } from '../helpers/chart/cases.ts';

interface Picture {
  width: number;
  height: number;
  /** RGBA */
  pixels: Uint8ClampedArray;
}

async function decode(png: Uint8Array): Promise<Picture> {
  const image = await loadImage(Buffer.from(png));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, pixels: context.getImageData(0, 0, width, height).data };
}

/** Machines round differently at the edges of letters: a channel may be that much off. */
const near = 12;
/** Compared in strips so many rows high, so that a wrong digit counts as much in a high picture. */
const strip = 100;

/** The share of pixels that differ where most do, from 0 to 1, and a picture of where. Both are of one size. */
function difference(a: Picture, b: Picture): { share: number; png: Uint8Array } {
  const canvas = createCanvas(a.width, a.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#00000028';
  context.fillRect(0, 0, a.width, a.height);
  context.fillStyle = '#ff0000';
  const strips: number[] = Array.from({ length: Math.ceil(a.height / strip) }, () => 0);
  for (let at = 0; at < a.pixels.length; at += 4) {
    if (!isFar(a, b, at)) continue;
    const [x, y] = [(at / 4) % a.width, Math.floor(at / 4 / a.width)];
    const row = Math.floor(y / strip);
    strips[row] = (strips[row] ?? 0) + 1;
    context.fillRect(x, y, 1, 1);
  }
  return { share: Math.max(...strips) / (a.width * strip), png: canvas.toBuffer('image/png') };
}

function isFar(a: Picture, b: Picture, at: number): boolean {
  for (let channel = at; channel < at + 4; channel += 1)
    if (Math.abs(channelOf(a, channel) - channelOf(b, channel)) > near) return true;
  return false;
}

const channelOf = ({ pixels }: Picture, at: number): number => pixels[at] ?? 0;

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
});
