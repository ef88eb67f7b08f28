/** One bar: what is taken of what there is. `max` 0: there is no limit. */
export interface Gauge {
  name: string;
  /** Behind the figures, "GB"; none for a plain count. */
  unit: string;
  max: number;
  allocated: number;
}

/** One hypervisor: a line with its name, and below that its gauges, in columns of equal meaning. */
export interface Row {
  id: number;
  name: string;
  /** What is unusual about it, in a word or two each. */
  marks: readonly string[];
  /** Said beside the name, without a bar. */
  beside: Gauge;
  columns: readonly (readonly Gauge[])[];
}

/** What a picture shows. Names may be anything that came from outside. */
export interface Chart {
  /** Of the file: "capacity.png". */
  file: string;
  title: string;
  /** Which part of a longer list this is; nothing for the whole. */
  part?: string;
  rows: readonly Row[];
}

/** How full: `share` is 0 where nothing is taken or the limit makes no sense, and undefined where there is no limit. */
export type Fill = { state: 'unlimited'; share?: undefined } | { state: 'usual' | 'high' | 'over'; share: number };

/** From here on a gauge is as good as full. */
const high = 0.9;

export function fillOf({ max, allocated }: Pick<Gauge, 'max' | 'allocated'>): Fill {
  if (max === 0) return { state: 'unlimited' };
  const share = max > 0 ? Math.max(0, allocated / max) : 0;
  return { state: share > 1 ? 'over' : share >= high ? 'high' : 'usual', share };
}
