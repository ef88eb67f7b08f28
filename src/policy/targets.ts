import { once } from './once.ts';
import { globOf, readTarget } from './pattern.ts';

/** What a role's `servers` can mean, each found without a look at all servers. */
export interface Targets {
  isFitting(glob: string): boolean;
  isReached(ids: { from: number; to: number }): boolean;
}

/** `nothingElse`: what is not listed cannot be reached. */
export function targetsIn(servers: readonly unknown[], nothingElse: boolean): Targets {
  const names = once(() => servers.map((each) => memberOf(each, 'name')).filter((name) => typeof name === 'string'));
  const known = once(() => new Set(names().map((name) => name.toLowerCase())));
  const ids = once(() => servers.map((each) => memberOf(each, 'id')).filter((id) => typeof id === 'number'));
  const sorted = once(() => Float64Array.from(ids()).sort());
  const fitting = new Map<string, boolean>();
  return {
    isFitting(glob) {
      if (!/[*?]/.test(glob)) return known().has(glob.toLowerCase());
      const isKnown = fitting.get(glob) ?? names().some(globOf(glob));
      fitting.set(glob, isKnown);
      return isKnown;
    },
    isReached: ({ from, to }) => !nothingElse || (sorted()[placeIn(sorted(), from)] ?? Number.POSITIVE_INFINITY) <= to,
  };
}

/** The place of the first number that is not below this one. */
function placeIn(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? least) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is wrong with an item of a role's `servers`, as a sentence. */
export function aboutTarget(entry: unknown, { isFitting, isReached }: Targets): string | undefined {
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined;
  const target = readTarget(entry);
  if ('glob' in target) {
    if (typeof entry === 'number') return "A server's id is a whole number from 1.";
    if (isFitting(target.glob)) return undefined;
    return 'No server under `servers` has this name or fits this glob. Globs mean names; ids are written 101 or 100-199.';
  }
  const { from, to } = target.ids;
  if (from < 1 || !Number.isSafeInteger(to)) return "A server's id is a whole number from 1.";
  if (to < from) return 'The range is reversed: the smaller id comes first.';
  if (isReached(target.ids)) return undefined;
  return 'No server under `servers` has such an id, and `unlisted` is nothing, so it would allow nothing.';
}

/** A member of a row of the file, without a copy of it. */
export const memberOf = (
  row: unknown,
  key: 'id' | 'name' | 'tier' | 'ips' | 'account' | 'roles' | 'command' | 'servers',
): unknown => (typeof row === 'object' && row !== null && Object.hasOwn(row, key) ? Reflect.get(row, key) : undefined);
