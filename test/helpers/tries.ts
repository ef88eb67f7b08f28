/** Whether this is the deep run: `npm run test:deep`. */
const isDeep = process.env['ALL_RUNS'] === '1';

/** How often a property is tried: so often in the deep run, and a tenth of it, but ten times, in the others. */
export const tries = (all: number): number => (isDeep ? all : Math.max(10, Math.ceil(all / 10)));

/** All pairs of a matrix in the deep run; in the others each row once, and each column. */
export function meetings<A, B>(pairs: readonly (readonly [A, B])[]): readonly (readonly [A, B])[] {
  if (isDeep) return pairs;
  const met = new Set<A | B>();
  return pairs.filter(([row, column]) => {
    const isNew = !met.has(row) || !met.has(column);
    met.add(row).add(column);
    return isNew;
  });
}
