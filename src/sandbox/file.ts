import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { SandboxUnreadable } from './unreadable.ts';

/** A file of the sandbox, and the callback for the first time the disk refuses a write. */
export interface StateFile {
  path: string;
  onTrouble(problem: string): void;
}

/** The content of a file; undefined if it does not exist. */
export function readState(path: string): string | undefined {
  // To open a named pipe would wait for ever.
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) throw new SandboxUnreadable(path, 'it is a named pipe');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new SandboxUnreadable(path, `it cannot be read (${codeOf(error)})`);
  }
}

export function replaceState(path: string, text: string): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600, flag: 'wx' });
  renameSync(part, path);
}

/** Runs `write` and reports when it starts to fail. Returns whether it succeeded. */
export function reportingTrouble({ onTrouble }: StateFile): (write: () => void) => boolean {
  let known = false;
  return (write) => {
    try {
      write();
      known = false;
    } catch (error) {
      if (!known) onTrouble(codeOf(error));
      known = true;
    }
    return !known;
  };
}

/** An append-only file. Written but not synced: it survives a crash of the process, not of the machine. */
export interface Appended {
  append(text: string): void;
  close(): void;
}

/** Lines that the disk refuses stay in memory and are written before the next ones. */
export function appendTo(kept: StateFile): Appended {
  const file = openSync(kept.path, 'a', 0o600);
  const attempt = reportingTrouble(kept);
  let left = Buffer.alloc(0);
  const append = (text: string): void => {
    left = Buffer.concat([left, Buffer.from(text)]);
    attempt(() => {
      while (left.length > 0) left = left.subarray(writeSync(file, left));
    });
  };
  return {
    append,
    close() {
      append('');
      closeSync(file);
    },
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown';
