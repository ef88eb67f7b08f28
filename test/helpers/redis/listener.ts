import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until } from '../messages.ts';

/** The process that listens on a port of 127.0.0.1, once there is one, from proc(5). */
export const listenerOn = (port: number): Promise<number> =>
  until(() => {
    const socket = socketOn(port);
    return socket === undefined ? undefined : processes().find((pid) => filesOf(pid).includes(socket));
  }, `a process that listens on port ${port}`);

/** As it stands among the files of its process. */
function socketOn(port: number): string | undefined {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local === address && state === '0A') return `socket:[${inode}]`;
  }
  return undefined;
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** None of a process that is gone or somebody else's; a file may be closed meanwhile. */
function filesOf(pid: number): string[] {
  const dir = `/proc/${pid}/fd`;
  try {
    return readdirSync(dir).map((name) => readlinkSync(`${dir}/${name}`));
  } catch {
    return [];
  }
}
