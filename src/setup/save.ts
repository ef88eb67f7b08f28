import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from '../system.ts';
import type { Before } from './found.ts';

/** A file to write. `mode` is for a new file; an existing one keeps its mode, restricted to this. */
export interface Writing {
  before: Before;
  text: string;
  mode: number;
}

/** A file could not be written. `message` says which, and which were written. */
export class NotSaved extends Error {
  override name = 'NotSaved';
}

/** The name of the backup beside the new file. `now` in ms. */
export const backupOf = (path: string, now: number): string =>
  `${path}.bak-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`;

/** Writes all files or none, as far as the disk allows: all texts and backups first. Throws NotSaved. */
export function save(writings: readonly Writing[], now: number): void {
  /** Files created here, to remove after a failure. */
  const made = new Set<string>();
  const done: string[] = [];
  try {
    const moves = writings.map(({ before, text, mode }) => {
      const { path } = before;
      const has = modeOf(path);
      const limited = has === undefined ? mode : has & mode;
      if (readOrNothing(path) !== before.text)
        throw new NotSaved(`${basename(path)} was changed while setup ran. Nothing was written. Run setup again.`);
      const backup = backupOf(path, now);
      if (before.text !== undefined) write(backup, before.text, limited, made);
      // A unique name, so that it replaces nobody's file.
      const draft = `${path}.${randomUUID()}.new`;
      write(draft, text, limited, made);
      return { path, backup, draft };
    });
    for (const { path, backup, draft } of moves) {
      renameSync(draft, path);
      done.push(basename(path));
      made.delete(draft);
      // Keep the backup of a replaced file, even if the next one fails.
      made.delete(backup);
    }
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    if (error instanceof NotSaved) throw error;
    const written = done.length === 0 ? 'Nothing was written.' : `Only ${done.join(', ')} was written.`;
    throw new NotSaved(`The files cannot be written (${codeOf(error, 'unknown error')}). ${written}`);
  }
}

/** Creates a file with this mode, and syncs it to disk. */
function write(path: string, text: string, mode: number, made: Set<string>): void {
  const file = openSync(path, 'wx', mode);
  made.add(path);
  try {
    // Unlike writeSync(), it goes on after a short write, as on a disk that fills up.
    writeFileSync(file, text);
    fsyncSync(file);
    if (fstatSync(file).size !== Buffer.byteLength(text))
      throw new NotSaved(`${basename(path)} was not written completely. Nothing was changed.`);
  } finally {
    closeSync(file);
  }
}

const modeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mode;

/** Without the mark (BOM) that `before` does not have either. */
const readOrNothing = (path: string): string | undefined =>
  modeOf(path) === undefined ? undefined : readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
