import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memberOf } from '../json.ts';
import { type Danger, dangers, type Server } from '../outcome.ts';

/** An item of a role's `servers`: ids from–to (a single id is a range of one), or a glob of names. */
type Target = { ids: { from: number; to: number } } | { glob: string };

/** Parses an item as written: `101`, `"101"`, `100-199`, `web-1`, `web-*`. */
function readTarget(entry: string | number): Target {
  const range = /^(\d+)(?:-(\d+))?$/.exec(String(entry));
  if (range === null) return { glob: String(entry) };
  const from = Number(range[1]);
  return { ids: { from, to: range[2] === undefined ? from : Number(range[2]) } };
}

/** Whether these items of a role mean a server. Globs match names only, and only a name that gives rights. */
export function namesAny(
  entries: readonly (string | number)[],
): (server: Pick<Server, 'id' | 'name' | 'unwritten'>) => boolean {
  const targets = entries.map(readTarget);
  const ranges = targets.flatMap((target) => ('ids' in target ? [target.ids] : []));
  const globs = targets.flatMap((target) => ('glob' in target ? [globOf(target.glob)] : []));
  return ({ id, name, unwritten }) =>
    ranges.some(({ from, to }) => from <= id && id <= to) ||
    (name !== undefined && !unwritten && globs.some((fits) => fits(name)));
}

/** A whole address in its one spelling: IPv4-mapped IPv6 is IPv4. Undefined for anything else. */
export function addressIn(text: string): string | undefined {
  const plain = /^\[.+\]$/.test(text) ? text.slice(1, -1) : text;
  const version = isIP(plain);
  // IPv4 has one spelling. ipaddr.js takes more than addresses, such as 0x7f.1 and a zone.
  if (version === 4) return plain;
  return version === 0 || plain.includes('%') ? undefined : ipaddr.process(plain).toString();
}

/** Whether an item of `allow` or `match` (a danger, a command id, a glob) matches this command. Some are given by their id alone. */
export function namesCommand(entry: string, command: Nameable): boolean {
  if (command.byName) return entry.toLowerCase() === command.id;
  return isDanger(entry) ? entry === command.danger : globOf(entry)(command.id);
}

/** What a command is given by. `byName`: no danger and no glob gives it, only its id does. */
export interface Nameable {
  id: string;
  danger: Danger;
  byName?: true;
}

export function isDanger(text: string): text is Danger {
  // Widened, because `includes` of a tuple accepts only its members.
  return (dangers as readonly string[]).includes(text);
}

/**
 * Whether a glob matches a whole text, case-insensitively: `*` is any sequence, `?` any one character. Backtracks to the
 * last star only, so it takes at most pattern × text steps, which a regular expression cannot guarantee.
 */
export function globOf(glob: string): (text: string) => boolean {
  const pattern = glob.toLowerCase();
  const start = pattern.replace(/[*?].*$/s, '');
  const rest = pattern.slice(start.length);
  return (text) => {
    const subject = text.toLowerCase();
    if (rest === '') return subject === start;
    return subject.startsWith(start) && (rest === '*' || fits(pattern, subject, start.length));
  };
}

/** From this place on, which is before the first star. */
function fits(pattern: string, subject: string, from: number): boolean {
  let [p, s] = [from, from];
  let star: { p: number; s: number } | undefined;
  while (s < subject.length) {
    if (pattern[p] === '*') {
      star = { p: p + 1, s };
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === subject[s])) {
      p += 1;
      s += 1;
    } else if (star !== undefined) {
      star = { p: star.p, s: star.s + 1 };
      p = star.p;
      s = star.s;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}

/** What a role's `servers` can mean: all names are looked at once for a glob, however many roles have it. */
export interface Targets {
  isFitting(glob: string): boolean;
  isReached(ids: { from: number; to: number }): boolean;
}

/** `nothingElse`: what is not listed cannot be reached. */
export function targetsIn(servers: readonly unknown[], nothingElse: boolean): Targets {
  const names = servers.map((each) => memberOf(each, 'name')).filter((name) => typeof name === 'string');
  const known = new Set(names.map((name) => name.toLowerCase()));
  const ids = servers.map((each) => memberOf(each, 'id')).filter((id) => typeof id === 'number');
  const single = new Set(ids);
  const fitting = new Map<string, boolean>();
  return {
    isFitting(glob) {
      const fits = fitting.get(glob) ?? (/[*?]/.test(glob) ? names.some(globOf(glob)) : known.has(glob.toLowerCase()));
      fitting.set(glob, fits);
      return fits;
    },
    isReached: ({ from, to }) =>
      !nothingElse || single.has(from) || (from < to && ids.some((id) => from <= id && id <= to)),
  };
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
