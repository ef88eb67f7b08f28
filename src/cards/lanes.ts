/** Does the work when it is its turn in the lane of that name. Whoever `isFirst` when a turn is given goes before the others. */
export type Lanes = <T>(of: string, isFirst: () => boolean, work: () => Promise<T>) => Promise<T>;

/** One at a time in each lane. */
export function createLanes(): Lanes {
  const lanes = new Map<string, { isFirst(): boolean; go(): void }[]>();
  return async (of, isFirst, work) => {
    const busy = lanes.get(of);
    const lane = busy ?? [];
    lanes.set(of, lane);
    // Whoever is done hands its place over, so that nobody slips in between.
    if (busy !== undefined) await new Promise<void>((go) => lane.push({ isFirst, go }));
    try {
      return await work();
    } finally {
      const at = lane.findIndex((each) => each.isFirst());
      const [next] = lane.splice(Math.max(0, at), 1);
      if (next === undefined) lanes.delete(of);
      else next.go();
    }
  };
}
