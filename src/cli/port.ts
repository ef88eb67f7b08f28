import { exitCodes, fail } from './exit.ts';

type Of = 'HTTP' | 'ALERTS';

const noAddress = (of: Of) => `${of}_HOST: this machine has no such address. Set one that it has, or leave it out.`;

const problems: Readonly<Record<string, (of: Of, port: number) => string>> = {
  EACCES: (of, port) =>
    `${of}_PORT: port ${port} must not be used by this user. Set another, or 0 for any that is free.`,
  EADDRINUSE: (of, port) =>
    `${of}_PORT: port ${port} is taken, by another panelops or another program. Stop that one, set another port, or 0 for any that is free.`,
  EADDRNOTAVAIL: noAddress,
  // fe80::1 without a zone, or with one that is not there.
  EINVAL: noAddress,
};

/**
 * Resolves to what listens on that port; left out, on the usual one, or if that is taken on any. Exits with 78 if the port
 * cannot be used.
 */
export async function listening<T>(
  of: Of,
  port: number | undefined,
  open: (port: number) => Promise<T>,
  usual = 0,
): Promise<T> {
  try {
    return await open(port ?? usual);
  } catch (error) {
    const { code = '', syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
    // Files and other sockets have such errors too.
    const problem = syscall === 'listen' ? problems[code] : undefined;
    if (problem === undefined) throw error;
    return port === undefined ? open(0) : fail(problem(of, port), exitCodes.configuration);
  }
}
