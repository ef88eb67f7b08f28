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
