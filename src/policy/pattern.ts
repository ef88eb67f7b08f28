import { type Danger, dangers, type Server } from '../outcome.ts';

/** An item of a role's `servers`: ids from–to (a single id is a range of one), or a glob of names. */
export type Target = { ids: { from: number; to: number } } | { glob: string };

/** Parses an item as written: `101`, `"101"`, `100-199`, `web-1`, `web-*`. */
export function readTarget(entry: string | number): Target {
  const range = /^(\d+)(?:-(\d+))?$/.exec(String(entry));
  if (range === null) return { glob: String(entry) };
  const from = Number(range[1]);
  return { ids: { from, to: range[2] === undefined ? from : Number(range[2]) } };
}

/**
 * Whether an item of a role's `servers` matches this server. Globs match names only, so never a server without one.
 */
export function namesServer(entry: string | number, server: Server): boolean {
  const target = readTarget(entry);
  if ('ids' in target) return target.ids.from <= server.id && server.id <= target.ids.to;
  return server.name !== undefined && matches(target.glob, server.name);
}

/** Whether an item of `allow` or `match` (a danger, a command id, a glob) matches this command. */
export function namesCommand(entry: string, command: { id: string; danger: Danger }): boolean {
  return isDanger(entry) ? entry === command.danger : matches(entry, command.id);
}

export function isDanger(text: string): text is Danger {
  // Widened, because `includes` of a tuple accepts only its members.
  return (dangers as readonly string[]).includes(text);
}

/**
 * Matches a glob against the whole text, case-insensitively: `*` is any sequence, `?` any one character. Backtracks
 * to the last star only, so it takes at most pattern × text steps, which a regular expression cannot guarantee.
 */
export function matches(glob: string, text: string): boolean {
  const [pattern, subject] = [glob.toLowerCase(), text.toLowerCase()];
  let [p, s] = [0, 0];
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
