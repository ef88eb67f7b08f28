import { describe, expect, it } from 'vitest';
import { palette } from '../../src/chart/chart.ts';

/** WCAG 2.2: relative luminance, and the contrast of two colours, from 1 to 21. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const discord = { dark: '#313338', light: '#ffffff' };

describe('the colours of a chart', () => {
  it.each(['text', 'soft', 'high', 'over', 'unlimited'] as const)('can be read as words: %s', (name) => {
    expect(contrast(palette[name], palette.card)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['usual', 'high', 'over', 'limit'] as const)('can be told from what is empty: %s', (name) => {
    expect(contrast(palette[name], palette.track)).toBeGreaterThanOrEqual(3);
    expect(contrast(palette[name], palette.card)).toBeGreaterThanOrEqual(3);
  });

  it('show the stripes of what is over', () => {
    expect(contrast(palette.over, palette.under)).toBeGreaterThanOrEqual(3);
  });

  it("show the limit where a bar's end meets it", () => {
    for (const fill of ['usual', 'high', 'over'] as const)
      expect(contrast(palette.limit, palette[fill]), fill).toBeGreaterThanOrEqual(1.5);
  });

  it.each(Object.entries(discord))("show the picture's edge in the %s theme", (_theme, background) => {
    const best = Math.max(contrast(palette.card, background), contrast(palette.edge, background));
    expect(best).toBeGreaterThanOrEqual(1.4);
  });
});
