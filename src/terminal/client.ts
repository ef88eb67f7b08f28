import { open, rm } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { socketProblem } from './listen.ts';
import { type Ask, codes, type FromBot, type FromClient, fromBot, readLines, written } from './protocol.ts';

export interface ClientOptions {
  socket: string;
  ask: Ask;
  /** Prints each card as it came, as JSON. */
  json: boolean;
  /** Who used sudo. */
  sudo: string | undefined;
  /** Where somebody reads and types; left out: nobody does. */
  terminal?: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } | undefined;
  out(text: string): void;
  say(text: string): void;
  patience?: number;
}

type Card = FromBot & { kind: 'card' };
type Form = FromBot & { kind: 'form' };
type Proof = FromBot & { kind: 'prove' };

/** How long a bot may take to ask who somebody is, in ms: it does so at once. */
const usualPatience = 10_000;

/** Has the running bot do it. Resolves with the exit code. */
export async function runClient(options: ClientOptions): Promise<number> {
  const { socket: path, say } = options;
  const socket = (await socketProblem(path)) ?? (await connected(path));
  if (typeof socket !== 'string') return await new Promise((end) => talk(options, socket, end));
  say(`No bot answers at ${path}: ${socket}.\n`);
  say('Start it on this machine, or set SHELL_SOCKET to where it listens.\nSee docs/shell.md.\n');
  return codes.unreachable;
}

const connected = (path: string): Promise<Socket | string> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });

function talk(
  { ask, sudo, terminal, say, patience = usualPatience, ...printing }: ClientOptions,
  socket: Socket,
  done: (code: number) => void,
): void {
  const print = printer(printing);
  const send = (message: FromClient): void => void socket.write(written(message));
  let card: Card | undefined;
  let proof: Proof | undefined;
  let hasEnded = false;
  const end = (code: number): void => {
    hasEnded = true;
    clearTimeout(silence);
    keys?.close();
    // Also where the other side never closes.
    socket.destroySoon();
    done(code);
  };
  const silence = setTimeout(() => {
    say('The bot does not answer: it hangs, or is too busy. Look at its log.\n');
    end(codes.unreachable);
  }, patience);
  const keys = terminal && typing(terminal, { send, say, end });
  const introduce = (asked: Proof): void => {
    const here = { kind: 'here' as const, ask, isTerminal: keys !== undefined };
    prove(asked).then(
      () => send(sudo === undefined ? here : { ...here, sudo }),
      (error: unknown) => {
        say(`Your account cannot be shown to the bot: ${String(error)}\n`);
        end(codes.unreachable);
      },
    );
  };
  const take = (message: FromBot): void => {
    if (message.kind === 'prove') {
      proof = message;
      introduce(message);
      return;
    }
    if (proof !== undefined) void rm(proof.file, { force: true });
    proof = undefined;
    if (message.kind === 'card') {
      print(message);
      if (message.code !== undefined || message.buttons.length > 0 || message.state === 'working') card = message;
      if (message.code !== undefined && message.buttons.length === 0) end(message.code);
    }
    if (!hasEnded) keys?.prompt(card, message.kind === 'form' ? message : undefined);
  };
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (proof !== undefined) void rm(proof.file, { force: true });
    if (hasEnded) return;
    say('The bot closed the connection. It finishes what it has begun.\nType panelops status once it is back.\n');
    end(card?.state === 'working' ? codes.unknown : codes.unreachable);
  });
  const hear = (message: FromBot): void => {
    clearTimeout(silence);
    if (!hasEnded) take(message);
  };
  readLines(socket, fromBot, 'bot', hear, () => {
    say('What answers there is not the bot. See docs/shell.md.\n');
    end(codes.failed);
  });
}

/** In a file of this account's own, which nobody else can have made: not through a link, and not over another. */
async function prove({ file, nonce }: Proof): Promise<void> {
  const made = await open(file, 'wx', 0o600);
  try {
    await made.writeFile(nonce);
    // The bot has another account. Whoever else reads it learns nothing: the nonce is of this connection alone.
    await made.chmod(0o644);
  } finally {
    await made.close();
  }
}

/** The same text twice says nothing. */
function printer({ json, out }: Pick<ClientOptions, 'json' | 'out'>): (card: Card) => void {
  let last = '';
  return (card) => {
    if (json) out(`${JSON.stringify(card)}\n`);
    else if (card.text !== last) out(`${last === '' ? '' : '\n'}${card.text}\n`);
    last = card.text;
  };
}

interface Typing {
  send(message: FromClient): void;
  say(text: string): void;
  end(code: number): void;
}

/** Answers are typed in full: Enter alone does nothing. Ctrl-C, Ctrl-D and the terminal's end cancel as long as nothing can have left. */
function typing(terminal: NonNullable<ClientOptions['terminal']>, { send, say, end }: Typing) {
  const keys = createInterface({ ...terminal, terminal: true });
  let [card, form]: [Card?, Form?] = [];
  let [isLeaving, isClosed] = [false, false];
  const ask = (): void => {
    if (isClosed) return;
    const labels = card?.buttons.map(({ label }) => `"${label}"`) ?? [];
    const choice = labels.length === 0 ? '' : `Type ${labels.join(' or ')}: `;
    keys.setPrompt(form === undefined ? choice : `${form.label}: `);
    keys.prompt();
  };
  keys.on('line', (text) => {
    const typed = text.trim().toLowerCase();
    const button = card?.buttons.find(({ label }) => label.toLowerCase() === typed);
    if (form !== undefined) send({ kind: 'fill', form: form.id, text });
    else if (button === undefined) ask();
    else send({ kind: 'press', button: button.id });
  });
  const leave = (): void => {
    const cancel = card?.buttons.find(({ id }) => id.startsWith('cancel:'));
    if (isLeaving || card?.state !== 'working') {
      if (isLeaving || cancel === undefined)
        return void end(card?.state === 'working' ? codes.unknown : (card?.code ?? codes.nothing));
      send({ kind: 'press', button: cancel.id });
    } else
      say(
        '\nA request may have been sent: this waits to see how it ends.\nPress Ctrl-C again to leave that to the bot.\n',
      );
    isLeaving = true;
  };
  const close = (): void => {
    isClosed = true;
    leave();
  };
  keys.on('SIGINT', leave).on('close', close);
  return {
    prompt(shown: Card | undefined, asked: Form | undefined): void {
      [card, form] = [shown, asked];
      ask();
    },
    close: () => keys.off('close', close).close(),
  };
}
