import { exitCodes, fail } from './exit.ts';

const noAddress = () => 'HTTP_HOST: this machine has no such address. Set one that it has, or leave it out.';

const problems: Readonly<Record<string, (port: number | undefined) => string>> = {
  EACCES: (port) => `HTTP_PORT: port ${port} must not be used by this user. Set another, or 0 for any that is free.`,
  EADDRINUSE: (port) =>
    `HTTP_PORT: port ${port} is taken, by another panelops or another program. Stop that one, set another port, or 0 for any that is free.`,
  EADDRNOTAVAIL: noAddress,
  // fe80::1 without a zone, or with one that is not there.
  EINVAL: noAddress,
};

/** Resolves to the server. Exits with 78 if the port cannot be used. */
export async function listening<T>(port: number | undefined, opened: T | Promise<T>): Promise<T> {
  try {
    return await opened;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const problem = problems[code];
    if (problem === undefined) throw error;
    return fail(problem(port), exitCodes.configuration);
  }
}
