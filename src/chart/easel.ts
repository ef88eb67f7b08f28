import { createRequire } from 'node:module';
import type { Easel } from './draw.ts';

/** The alphabets that can be drawn; each has its own font file. */
const alphabets = ['latin', 'latin-ext', 'greek', 'cyrillic'] as const;
const weights = [400, 600] as const;

/**
 * The native canvas with only the bundled fonts, so that pictures look the same everywhere. Rejects if the platform
 * has no native canvas. On a processor that lacks its instructions, it kills the process.
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
