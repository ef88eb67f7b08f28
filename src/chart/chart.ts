/** One bar: what is allocated of the capacity. `max` 0: no limit. */
export interface Gauge {
  name: string;
  /** The unit after the figures, such as "GB"; empty for a plain count. */
  unit: string;
  max: number;
  allocated: number;
}

/** One hypervisor: a line with its name, and its gauges below, in columns that mean the same in every row. */
export interface Row {
  id: number;
  name: string;
  /** What is unusual about it, a word or two each. */
  marks: readonly string[];
  /** Shown beside the name, without a bar. */
  beside: Gauge;
  columns: readonly (readonly Gauge[])[];
}

/** The content of one picture. Names come from outside and may be anything. */
export interface Chart {
  /** The file's name: "capacity.png". */
  file: string;
  title: string;
  /** Which part of a longer list this is; undefined for the whole list. */
  part?: string;
  rows: readonly Row[];
}

/** How full a gauge is. `share` is 0 if the limit makes no sense, undefined without a limit. */
export type Fill = { state: 'unlimited'; share?: undefined } | { state: 'usual' | 'high' | 'over'; share: number };

/** From this share on a gauge counts as almost full. */
const high = 0.9;

export function fillOf({ max, allocated }: Pick<Gauge, 'max' | 'allocated'>): Fill {
  if (max === 0) return { state: 'unlimited' };
  const share = max > 0 ? Math.max(0, allocated / max) : 0;
  return { state: share > 1 ? 'over' : share >= high ? 'high' : 'usual', share };
}

/** Its own background, for Discord's dark and light. Contrasts: text 4.5 to `card`, fills 3 to `track`, `card`. */
export const palette = {
  card: '#16181d',
  edge: '#5b616e',
  line: '#2e323b',
  text: '#f2f4f8',
  soft: '#aab1bf',
  track: '#2b2f38',
  usual: '#4da3ff',
  high: '#ffb84d',
  over: '#ff7b72',
  /** Between the stripes of the part beyond the limit. */
  under: '#5c1f22',
  unlimited: '#9aa5b8',
  limit: '#ffffff',
} as const;
