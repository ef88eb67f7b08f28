import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { SandboxUnreadable } from './unreadable.ts';

/** A file of the sandbox, and who is told of it, once, when the disk takes no more. */
export interface Kept {
  path: string;
  onTrouble(problem: string): void;
}

/** The text of a file; undefined where there is none. */
export function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new SandboxUnreadable(path, `it cannot be read (${codeOf(error)})`);
  }
}

/** Puts a text in the place of the file, as a whole. */
export function replaceKept(path: string, text: string): void {
  const part = `${path}.part`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
}

/** Calls `write`, and says when that does not work any more. Answers whether it did. */
export function troubled({ onTrouble }: Kept): (write: () => void) => boolean {
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

/** A file that only grows. Written, not synced: it outlives the process, however that ends, and not the machine. */
export interface Appended {
  append(text: string): void;
  close(): void;
}

/** What the disk refuses stays in memory, and goes first with what comes next. */
export function appendTo(kept: Kept): Appended {
  const file = openSync(kept.path, 'a', 0o600);
  const attempt = troubled(kept);
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
