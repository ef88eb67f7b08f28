import { chmod, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { trusted } from '../card.ts';
import type { Log } from '../outcome.ts';
import { type Challenge, challengeIn, openFolder, ownerOf, Unproven } from './owner.ts';
import { accountOf, sharedAccount } from './people.ts';
import { codes, type FromBot, type FromClient, fromClient, readLines, written } from './protocol.ts';
import { createSession, type Session, type SessionParts } from './session.ts';
import { textOf } from './text.ts';

export interface ServerParts extends SessionParts {
  socket: string;
  log: Log;
  /** Who wrote the file of a challenge; default: its owner. */
  owner?: ((challenge: Challenge) => Promise<number>) | undefined;
}

/** The kernel takes no longer path for a socket, in bytes. */
const longestPath = 107;

/** How many terminals there may be at once, and how long one may take to say who it is, in ms. */
const most = 32;
const patience = 10_000;

/** Why nobody could reach a socket there, or somebody could put another in its place. */
export async function socketProblem(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return 'there are no such sockets on Windows';
  const bytes = Buffer.byteLength(path);
  if (bytes > longestPath) return `the path has ${bytes} bytes, and a socket takes at most ${longestPath}`;
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return `there is no folder ${folder}`;
  if ((found.mode & 0o022) !== 0) return `others may write to ${folder}, and so put another socket there`;
  return undefined;
}

/** Listens for terminals. Never rejects: without a shell, the rest of the bot works. The answer ends it. */
export async function serveTerminals(parts: ServerParts): Promise<() => Promise<void>> {
  const { socket: path, log } = parts;
  const folder = await openFolder();
  const problem =
    (await socketProblem(path)) ??
    (folder === undefined ? 'neither /dev/shm nor /tmp is a sticky folder of root' : undefined);
  const unavailable = (why: string): (() => Promise<void>) => {
    log.warn({ socket: path }, `the shell is unavailable: ${why}. See docs/shell.md`);
    return () => Promise.resolve();
  };
  if (problem !== undefined || folder === undefined) return unavailable(problem ?? '');
  if (await isAnswered(path)) return unavailable('another process listens there');
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(parts, socket, challengeIn(folder));
  });
  server.maxConnections = most;
  try {
    await listening(server, path);
    // Who may connect is no secret: everybody says who they are.
    await chmod(path, 0o666);
  } catch (error) {
    server.close();
    return unavailable(String(error));
  }
  log.info({ socket: path }, 'the shell listens');
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** Whether somebody listens: what a killed process left is only a file. */
const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const tried = createConnection(path);
    tried.once('connect', () => resolve(true));
    tried.once('error', () => resolve(false));
    tried.once('close', () => tried.destroy());
    tried.once('connect', () => tried.destroy());
  });

function serve(parts: ServerParts, socket: Socket, challenge: Challenge): void {
  const { log, owner = ownerOf } = parts;
  const send = (message: FromBot): void => void (socket.writable && socket.write(written(message)));
  const refuse = (words: string): void => {
    const card = { state: 'denied', command: 'the shell', body: [trusted(words)] } as const;
    const text = textOf(card, { person: () => undefined, role: () => undefined });
    send({ kind: 'card', state: 'denied', text, buttons: [], code: codes.notYou });
    socket.end();
  };
  let session: Session | undefined;
  const enter = async ({ ask, isTerminal, sudo }: FromClient & { kind: 'here' }): Promise<void> => {
    const uid = await owner(challenge);
    const shared = sharedAccount(uid, process.getuid?.());
    if (shared !== undefined) {
      log.warn({ uid, sudo }, 'the shell refused an account that is nobody’s own');
      return refuse(shared);
    }
    socket.setTimeout(0);
    session = createSession(parts, await accountOf(uid, sudo), isTerminal, send);
    await session.begin(ask);
  };
  const act = async (message: FromClient): Promise<void> => {
    if (message.kind === 'here') return session === undefined ? enter(message) : undefined;
    const typed = message.kind === 'fill' ? message.text : undefined;
    await session?.press(message.kind === 'fill' ? message.form : message.button, typed);
  };
  let turn = Promise.resolve();
  const take = (message: FromClient): void => {
    turn = turn
      .then(() => act(message))
      .catch((error: unknown) => {
        if (error instanceof Unproven)
          return refuse(`Your account could not be read from ${challenge.file}: ${error.message}.`);
        log.error({ problem: String(error) }, 'the shell failed');
        socket.destroy();
      });
  };
  socket.setTimeout(patience, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('close', () => session?.end());
  readLines(socket, fromClient, 'client', take, () => socket.destroy());
  send({ kind: 'prove', ...challenge });
}
