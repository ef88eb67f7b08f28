import type { Socket } from 'node:net';
import { type Card, md, trusted } from '../card.ts';
import { type Admit, type Close, isServed, listen, type SocketPlace, unavailable } from './listen.ts';
import { type Challenge, challengeIn, openFolder, ownerOf, Unproven } from './owner.ts';
import { accountOf, sharedAccount } from './people.ts';
import { codes, type FromBot, type FromClient, fromClient, readLines, written } from './protocol.ts';
import { createSession, type Session, type SessionParts } from './session.ts';
import { textOf } from './text.ts';

export interface ServerParts extends SessionParts, SocketPlace {
  /** Who wrote the file of a challenge; default: its owner. */
  owner?: ((challenge: Challenge) => Promise<number>) | undefined;
}

/** What somebody may have typed ahead, in messages, and not read yet, in bytes. */
const most = { waiting: 64, unread: 4_194_304 };

/** What ends a client, of whom nothing is known. */
function lastCard(state: 'denied' | 'unavailable', code: number, body: Card['body']): FromBot {
  const text = textOf({ state, command: 'the shell', body }, { person: () => undefined, role: () => undefined });
  return { kind: 'card', state, text, buttons: [], code };
}

/** Listens for terminals. Never rejects: without a shell, the rest of the bot works. The answer ends it. */
export async function serveTerminals(parts: ServerParts): Promise<Close> {
  const folder = await openFolder();
  if (folder === undefined) return unavailable(parts, 'neither /dev/shm nor /tmp is a sticky folder of root');
  return listen(parts, (socket, admit) => serve(parts, socket, admit, challengeIn(folder)));
}

/** Says to each terminal which machine leads, as long as this process waits for that. */
export async function standIn(place: SocketPlace, leader: () => string | undefined): Promise<Close> {
  // The one that leads may be on this machine.
  if (await isServed(place.socket)) return () => Promise.resolve();
  return listen(place, (socket) => {
    const host = leader();
    const next = host === undefined ? trusted('Use the machine of the one that leads.') : md`Use its shell on ${host}.`;
    const body = [trusted('This process stands by: another one leads.'), next];
    socket.write(written(lastCard('unavailable', codes.unreachable, body)));
    socket.destroySoon();
  });
}

function serve(parts: ServerParts, socket: Socket, admit: Admit, challenge: Challenge): void {
  const { log, owner = ownerOf } = parts;
  const send = (message: FromBot): void => {
    if (socket.writableLength > most.unread) socket.destroy();
    else if (socket.writable) socket.write(written(message));
  };
  const refuse = (words: string): void => {
    send(lastCard('denied', codes.notYou, [trusted(words)]));
    socket.destroySoon();
  };
  let session: Session | undefined;
  const enter = async ({ ask, isTerminal, sudo }: FromClient & { kind: 'here' }): Promise<void> => {
    const uid = await owner(challenge);
    const isAdmitted = admit(uid);
    const shared = sharedAccount(uid, process.getuid?.());
    if (shared !== undefined) {
      log.warn({ uid, sudo }, 'the shell refused an account that is nobody’s own');
      return refuse(shared);
    }
    if (!isAdmitted) return refuse('Your account has too many terminals here. Close one, and try again.');
    session = createSession(parts, await accountOf(uid, sudo), isTerminal, send);
    if (!(await session.begin(ask))) socket.destroySoon();
  };
  const act = async (message: FromClient): Promise<void> => {
    if (message.kind === 'here') return session === undefined ? enter(message) : undefined;
    const typed = message.kind === 'fill' ? message.text : undefined;
    await session?.press(message.kind === 'fill' ? message.form : message.button, typed);
  };
  let turn = Promise.resolve();
  let waiting = 0;
  const take = (message: FromClient): void => {
    waiting += 1;
    if (waiting > most.waiting) return void socket.destroy();
    turn = turn
      .then(() => act(message))
      .finally(() => {
        waiting -= 1;
      })
      .catch((error: unknown) => {
        if (error instanceof Unproven)
          return refuse(`Your account could not be read from ${challenge.file}: ${error.message}.`);
        log.error({ problem: String(error) }, 'the shell failed');
        socket.destroy();
      });
  };
  socket.on('close', () => session?.end());
  readLines(socket, fromClient, 'client', take, () => socket.destroy());
  send({ kind: 'prove', ...challenge });
}
