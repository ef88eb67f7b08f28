/** Does the work when it is its turn in the lane of that name; `first` goes before all that waits as `later`. */
export type Lanes = <T>(of: string, rank: 'first' | 'later', work: () => Promise<T>) => Promise<T>;

/** One at a time in each lane. */
export function createLanes(): Lanes {
  const lanes = new Map<string, { first: (() => void)[]; later: (() => void)[] }>();
  return async (of, rank, work) => {
    const busy = lanes.get(of);
    const lane = busy ?? { first: [], later: [] };
    lanes.set(of, lane);
    // Whoever is done hands its place over, so that nobody slips in between.
    if (busy !== undefined) await new Promise<void>((go) => lane[rank].push(go));
    try {
      return await work();
    } finally {
      const next = lane.first.shift() ?? lane.later.shift();
      if (next === undefined) lanes.delete(of);
      else next();
    }
  };
}
