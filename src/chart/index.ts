import { createRequire } from 'node:module';
import type { CardFile } from '../card.ts';
import type { Log } from '../outcome.ts';
import type { Chart } from './chart.ts';
import { draw, type Easel } from './draw.ts';
import { described } from './words.ts';

/** Draws a chart; undefined if that fails. Never rejects. */
export type Painter = (chart: Chart) => Promise<CardFile | undefined>;

/** Loads the canvas with the first chart. If that fails there are no pictures, which is logged once. */
export function createPainter(log: Log, load: () => Promise<Easel> = loadEasel): Painter {
  let loading: Promise<Easel | undefined> | undefined;
  const loaded = () =>
    load().catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'cannot load the canvas on this platform: cards have no pictures');
      return undefined;
    });
  return async (chart) => {
    loading ??= loaded();
    const easel = await loading;
    if (easel === undefined) return undefined;
    try {
      const bytes = draw(easel, chart);
      return { name: chart.file, type: 'image/png', bytes, description: described(chart) };
    } catch (error) {
      log.warn({ problem: String(error) }, 'cannot draw a picture');
      return undefined;
    }
  };
}

/** The alphabets that can be drawn; each has its own font file. */
const alphabets = ['latin', 'latin-ext', 'greek', 'cyrillic'] as const;
const weights = [400, 600] as const;

/**
 * The native canvas with only the bundled fonts, so that pictures look the same everywhere. Rejects if the platform
 * has no native canvas.
 */
export async function loadEasel(): Promise<Easel> {
  const { createCanvas, GlobalFonts } = await import('@napi-rs/canvas');
  const { resolve } = createRequire(import.meta.url);
  for (const alphabet of alphabets) {
    for (const weight of weights) {
      const file = resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-${alphabet}-${weight}-normal.woff2`);
      if (GlobalFonts.registerFromPath(file, familyOf(alphabet)) === null) throw new Error(`not a font: ${file}`);
    }
  }
  return { createCanvas, family: alphabets.map((alphabet) => `"${familyOf(alphabet)}"`).join(', ') };
}

const familyOf = (alphabet: string): string => `panelops ${alphabet}`;
