import { type Stats, statSync } from 'node:fs';

/** What the system calls an error, such as ENOENT; or the other word, where it is none of the system's. */
export const codeOf = (error: unknown, otherwise = 'an unknown fault'): string =>
  error instanceof Error && 'code' in error ? String(error.code) : otherwise;

/** Handles an error: no such file is undefined, any other error is thrown again. */
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
