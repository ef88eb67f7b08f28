import { type Stats, statSync } from 'node:fs';

/** What the system calls an error, such as ENOENT; or the other word, where it is none of the system's. */
export const codeOf = (error: unknown, otherwise = 'an unknown fault'): string =>
  error instanceof Error && 'code' in error ? String(error.code) : otherwise;

/** To be told of an error: where it only says that there is no such file, goes on without one. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** A path, for a shell. */
export const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** What is there, behind links; undefined: nothing, or it cannot be looked at. */
export function statsOf(path = ''): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
