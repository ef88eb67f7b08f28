import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** A name as people give them: words with a few digits. What is other than that may be a secret in the wrong variable. */
const isName = (part: string): boolean =>
  /^(?=.{1,40}$)\.{0,2}(?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4})(?:[._-](?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4}))*$/.test(part);

/**
 * A path for an error: as it is, as far as it exists on this machine, and then only what looks like a name. So it repeats
 * nothing but what anybody could see here.
 */
export function shownPath(path: string): string {
  const there = existing(path);
  const rest = path.slice(there.length).split(sep);
  return printable(there) + rest.map((part) => (part === '' || isName(part) ? part : '…')).join(sep);
}

/** The longest beginning of a path that exists; the path of a folder without its last separator. */
function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (dirname(at) === at) return '';
    if (existsSync(at)) return at;
  }
}

/** The control characters of a terminal are no part of a message. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '…');
