/** Exit codes. After 77 and 78 a restart cannot help. docs/operations.md has the table. */
export const exitCodes = { fault: 1, refused: 77, configuration: 78 } as const;

/** Prints a text for people on standard error, and exits. */
export function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
