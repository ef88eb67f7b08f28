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
