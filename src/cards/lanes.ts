/** Runs the work when its turn comes in the named lane. Work for which `isFirst` holds goes before the rest. */
export type Lanes = <T>(of: string, isFirst: () => boolean, work: () => Promise<T>) => Promise<T>;

/** Runs one task at a time in each lane. */
export function createLanes(): Lanes {
  const lanes = new Map<string, { isFirst(): boolean; go(): void }[]>();
  return async (of, isFirst, work) => {
    const busy = lanes.get(of);
    const lane = busy ?? [];
    lanes.set(of, lane);
    // Hand the lane directly to the next task: nothing may slip in between.
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
