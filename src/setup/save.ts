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
import type { Before } from './found.ts';

/** A file to be written. `mode` is that of a new one; of one that is there, no more than this is kept. */
export interface Writing {
  before: Before;
  text: string;
  mode: number;
}

/** Something could not be written. `message` says what, and what was written all the same. */
export class NotSaved extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotSaved';
  }
}

/** What an old file is called beside its new one. `now` in ms. */
export const backupOf = (path: string, now: number): string =>
  `${path}.bak-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`;

/**
 * Writes the files, all or none as far as the disk allows: the new texts and the old ones lie beside before the first takes its place.
 * Rejects with NotSaved, also where somebody changed a file meanwhile.
 */
export function save(writings: readonly Writing[], now: number): void {
  /** What is removed unless all goes well: nothing but what was made here. */
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
      // A name that nobody else's file has.
      const draft = `${path}.${randomUUID()}.new`;
      write(draft, text, limited, made);
      return { path, backup, draft };
    });
    for (const { path, backup, draft } of moves) {
      renameSync(draft, path);
      done.push(basename(path));
      made.delete(draft);
      // The backup of what was replaced stays, whatever becomes of the next file.
      made.delete(backup);
    }
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    if (error instanceof NotSaved) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const written = done.length === 0 ? 'Nothing was written.' : `Only ${done.join(', ')} was written.`;
    throw new NotSaved(`The files cannot be written (${code}). ${written}`);
  }
}

/** A new file with this mode from its first byte on, whole and on disk when this returns. */
function write(path: string, text: string, mode: number, made: Set<string>): void {
  const file = openSync(path, 'wx', mode);
  made.add(path);
  try {
    // Unlike writeSync(), it goes on after a short write, as on a disk that fills up.
    writeFileSync(file, text);
    fsyncSync(file);
    if (fstatSync(file).size !== Buffer.byteLength(text))
      throw new NotSaved(`${basename(path)} is not whole on disk. Nothing was written.`);
  } finally {
    closeSync(file);
  }
}

const modeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mode;

const readOrNothing = (path: string): string | undefined =>
  modeOf(path) === undefined ? undefined : readFileSync(path, 'utf8');
