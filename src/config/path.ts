import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** Whether a part looks like a file name: words with a few digits. Anything else may be a secret in the wrong variable. */
const isName = (part: string): boolean =>
  /^(?=.{1,40}$)\.{0,2}(?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4})(?:[._-](?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4}))*$/.test(part);

/** A path for an error message: what exists of it, then only what looks like a name. So it repeats nothing secret. */
export function shownPath(path: string): string {
  const there = existing(path);
  const rest = path.slice(there.length).split(sep);
  return printable(there) + rest.map((part) => (part === '' || isName(part) ? part : '…')).join(sep);
}

/** The longest existing beginning of a path, without a trailing separator. */
function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (dirname(at) === at) return '';
    if (existsSync(at)) return at;
  }
}

/** Replaces control characters, which would act on the terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '…');
