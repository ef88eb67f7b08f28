/** How often a property is tried: as often as this in the deep tests, and a tenth of it, but ten times, in the others. */
export const tries = (all: number): number => (process.env['ALL_RUNS'] ? all : Math.max(10, Math.ceil(all / 10)));
