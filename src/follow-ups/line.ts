/** Does the work once there is room for it among that of the same name; `first` goes before all that waits as `later`. */
export type Line = <T>(of: string, rank: 'first' | 'later', work: () => Promise<T>) => Promise<T>;

/** So many at a time of each name. */
export function createLine(width: number): Line {
  const lanes = new Map<string, { busy: number; first: (() => void)[]; later: (() => void)[] }>();
  return async (of, rank, work) => {
    const lane = lanes.get(of) ?? { busy: 0, first: [], later: [] };
    lanes.set(of, lane);
    // Whoever is done hands its place over, so that nobody slips in between.
    if (lane.busy === width) await new Promise<void>((go) => lane[rank].push(go));
    else lane.busy += 1;
    try {
      return await work();
    } finally {
      const next = lane.first.shift() ?? lane.later.shift();
      if (next === undefined) lane.busy -= 1;
      else next();
      if (lane.busy === 0) lanes.delete(of);
    }
  };
}
