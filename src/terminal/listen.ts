import { chmod, lstat, realpath, rename, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Log } from '../outcome.ts';
import { fromBot, readLines } from './protocol.ts';

export interface SocketPlace {
  socket: string;
  log: Log;
  /** How long somebody may take to say who they are, in ms. */
  patience?: number;
}

export type Close = () => Promise<void>;

/** The kernel takes no longer path for a socket than 107 bytes, and each is put there under a longer name first. */
const longestPath = 96;

/** How many terminals there may be at once, and of one account. */
const most = { all: 32, ofOne: 8 };
const usualPatience = 10_000;

/** Why nobody could reach a socket there, or somebody could put another in its place. `isOwn`: this process listens there. */
export async function socketProblem(path: string, isOwn = false): Promise<string | undefined> {
  if (process.platform === 'win32') return 'there are no such sockets on Windows';
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPath) return `the path has ${bytes} bytes, and a socket takes at most ${longestPath}`;
  const folder = dirname(resolve(path));
  // The way there with its links, and the one to which they lead.
  for (const last of new Set([folder, await realpath(folder).catch(() => folder)])) {
    let above = { isShared: false };
    for (const each of foldersTo(last)) {
      const found = await folderAt(each, each === last, above.isShared || isOwn);
      if (typeof found === 'string') return found;
      above = found;
    }
  }
  return undefined;
}

const foldersTo = (path: string): string[] => (dirname(path) === path ? [path] : [...foldersTo(dirname(path)), path]);

/**
 * `isLast`: the socket is in it. `isBound`: its owner must be root or this user, also because it is in a sticky folder, where
 * others replace nothing, but may be first. Elsewhere it may be the bot's, whom the client does not know.
 */
async function folderAt(path: string, isLast: boolean, isBound: boolean): Promise<string | { isShared: boolean }> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return `there is no folder ${path}`;
  const isOfOther = ![0, process.getuid?.()].includes(found.uid);
  // Who owns a link says where it leads.
  if (found.isSymbolicLink()) return isOfOther ? `${path} is a link of another user` : { isShared: false };
  if (!found.isDirectory()) return `there is no folder ${path}`;
  if (isOfOther && isBound) return `${path} is the folder of another user, who could put another socket there`;
  const isShared = (found.mode & 0o022) !== 0;
  return isShared && (isLast || (found.mode & 0o1000) === 0)
    ? `others may write to ${path}, and so put another socket there`
    : { isShared };
}

export function unavailable({ socket, log }: SocketPlace, why: string): Close {
  log.warn({ socket }, `the shell is unavailable: ${why}. See docs/shell.md`);
  return () => Promise.resolve();
}

/** Says whose a terminal is. False: that account has too many. */
export type Admit = (uid: number) => boolean;

/** Puts a socket there, in the place of what a process left that is gone, or of one that stands by. Never rejects. */
export async function listen(place: SocketPlace, take: (socket: Socket, admit: Admit) => void): Promise<Close> {
  const { socket: path, log, patience = usualPatience } = place;
  const problem =
    (await socketProblem(path, true)) ?? ((await isServed(path)) ? 'another process listens there' : undefined);
  if (problem !== undefined) return unavailable(place, problem);
  const open = new Map<Socket, number | undefined>();
  const server = createServer((socket) => {
    open.set(socket, undefined);
    // However little it says, and however often.
    const late = setTimeout(() => socket.destroy(), patience);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      open.delete(socket);
    });
    const [oldest] = [...open].flatMap(([each, uid]) => (uid === undefined ? [each] : []));
    if (open.size > most.all) oldest?.destroy();
    take(socket, (uid) => {
      clearTimeout(late);
      open.set(socket, uid);
      return [...open.values()].filter((each) => each === uid).length <= most.ofOne;
    });
  });
  // Its end removes the name with which it began, and not that of a socket that has taken its place.
  const own = `${path}.${process.pid}`;
  try {
    await rm(own, { force: true });
    await listening(server, own);
    // Who may connect is no secret: everybody says who they are.
    await chmod(own, 0o666);
    await rename(own, path);
  } catch (error) {
    server.close();
    return unavailable(place, String(error));
  }
  log.info({ socket: path }, 'the shell listens');
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open.keys()) socket.destroy();
    await closed;
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** Whether a bot serves there, which asks at once who somebody is: what a killed process left is only a file. */
export const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const tried = createConnection(path);
    const said = (is: boolean): void => {
      resolve(is);
      tried.destroy();
    };
    tried.setTimeout(usualPatience, () => said(true));
    tried.once('error', () => said(false));
    tried.once('close', () => said(false));
    readLines(
      tried,
      fromBot,
      'bot',
      ({ kind }) => said(kind === 'prove'),
      () => said(true),
    );
  });
