/** The arithmetic of the figures. */

const sorted = (all: readonly number[]): number[] => all.toSorted((a, b) => a - b);

/** The value below which that share of all lies; NaN of none. */
export function quantile(all: readonly number[], share: number): number {
  const list = sorted(all);
  return list[Math.min(list.length - 1, Math.floor(share * list.length))] ?? Number.NaN;
}

/** Of an even number the mean of the two in the middle. */
function median(all: readonly number[]): number {
  const list = sorted(all);
  const upper = list[list.length >> 1] ?? Number.NaN;
  return list.length % 2 === 1 ? upper : (upper + (list[(list.length >> 1) - 1] ?? Number.NaN)) / 2;
}

/** A figure of several runs. */
export interface Figure {
  median: number;
  least: number;
  most: number;
  runs: number;
}

export const figureOf = (all: readonly number[]): Figure => ({
  median: median(all),
  least: Math.min(...all),
  most: Math.max(...all),
  runs: all.length,
});

/** The figure of the ratios run by run: what slows a whole run down does not change its ratio. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): Figure =>
  figureOf(ours.map((each, run) => each / (theirs[run] ?? Number.NaN)));

/** Three digits, and no more than there are. */
function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const rounded =
    Math.abs(value) >= 1_000 ? Number(value.toPrecision(3)) : Number(value.toPrecision(Math.abs(value) >= 100 ? 3 : 2));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** `0.36 s (0.35–0.41)`. */
export const told = ({ median: middle, least, most, runs }: Figure, unit = ''): string =>
  `${short(middle)}${unit}${runs > 1 ? ` (${short(least)}–${short(most)})` : ''}`;
