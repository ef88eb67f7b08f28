import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a command needs of the process in which it runs: Node's own, or what a test puts in its place. */
export interface Host {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  /** There is none on Windows. */
  getuid?(): number;
  stdout: { write(text: string | Uint8Array): unknown };
  stderr: { write(text: string): unknown };
  /** Where somebody reads and types. Missing, or undefined: nobody does. */
  keyboard?(): { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } | undefined;
}

/** Exit codes. After 77 and 78 a restart cannot help. docs/operations.md has the table. */
export const exitCodes = { fault: 1, refused: 77, configuration: 78 } as const;

/** Ends the program with an exit code, and with its message for people on standard error. */
export class Stop extends Error {
  override name = 'Stop';
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

export function fail(text: string, code: number): never {
  throw new Stop(text, code);
}

/** The package's own files are at the top. This file runs as dist/src/cli/host.js, and in tests as it is. */
const top = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url));

export const examplePolicy = join(top, 'policy.example.yaml');

export const versionOf = (): string => String(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')).version);
