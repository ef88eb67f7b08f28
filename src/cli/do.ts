import { resolve } from 'node:path';
import { shellSocket } from '../config.ts';
import { runClient } from '../terminal/client.ts';
import type { Ask } from '../terminal/protocol.ts';
import { wrapped } from '../terminal/text.ts';
import type { Host } from './host.ts';

/** `panelops do`, `status`, `approve` and `cancel`. Returns the exit code. Whoever types it may not read the configuration. */
export async function runInBot(host: Host, ask: Ask, { json = false }: { json?: boolean }): Promise<number> {
  const { env, stdout, stderr, keyboard } = host;
  return await runClient({
    socket: resolve(host.cwd(), env['SHELL_SOCKET'] || shellSocket),
    ask,
    json,
    sudo: env['SUDO_USER'],
    terminal: json ? undefined : keyboard?.(),
    out: (text) => void stdout.write(text),
    say: (text) => void stderr.write(inColumns(text)),
  });
}

/** A path, or what the system says, may be of any length. */
const inColumns = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => wrapped(line, ''))
    .join('\n');
