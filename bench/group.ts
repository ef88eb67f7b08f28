import type { Served } from './load.ts';
import type { Closing } from './processes.ts';
import type { Row } from './table.ts';

/** How much is measured: everything, or just enough to see that it runs. */
export interface Extent {
  runs: number;
  /** Part of the time that a slice takes. */
  share: number;
}
export const whole: Extent = { runs: 5, share: 1 };
export const smoke: Extent = { runs: 1, share: 0.1 };

/** Measures some rows. What it starts goes into `closing`; `say` is for those who wait. */
export type Group = (extent: Extent, closing: Closing, say: (text: string) => void) => Promise<Row[]>;

/** Calls everything once per run, in turn, so that a slow moment of the machine meets all of them. Figures by name. */
export async function alternately<Name extends string>(
  runs: number,
  each: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> {
  // The names are the keys of what was given.
  const names = Object.keys(each) as Name[];
  // So are these.
  const figures = Object.fromEntries(names.map((name): [string, number[]] => [name, []])) as Record<Name, number[]>;
  for (let run = 0; run < runs; run += 1) for (const name of names) figures[name].push(await each[name]());
  return figures;
}

/** Throws if anything was lost or answered otherwise: then the figure would mean nothing. */
export function sound(served: Served, what: string): Served {
  const [first] = served.wrong;
  if (first !== undefined) throw new Error(`${what}: ${served.wrong.length} answers were others, such as ${first}`);
  if (served.lost > 0) throw new Error(`${what}: ${served.lost} were never answered`);
  return served;
}

/** In a second. */
export const rate = ({ final, ms }: Served): number => (1000 * final.length) / ms;
