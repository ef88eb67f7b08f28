import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { jsonIn } from '../json.ts';
import type { Log } from '../outcome.ts';
import { bodies, type Told } from './parse.ts';

/** A token, by the name that its source has. */
interface Token {
  name: string;
  token: string;
}

/** Resolves once it is in the ledger, or it need not be. False: it is not, and the source must say it again. */
type Receive = (source: string, told: readonly Told[]) => Promise<boolean>;

/** What came of one notification, for metrics. */
type Outcome = 'taken' | 'refused' | 'malformed' | 'later';

export interface IntakeParts {
  host: string;
  /** 0: any that is free. */
  port: number;
  tokens: readonly Token[];
  /** `source`: the name of its token; undefined: it has none of ours. */
  observe(source: string | undefined, outcome: Outcome): void;
  log: Log;
  /** How long a request may take to arrive, in ms. */
  patience?: number;
}

const largest = 1024 * 1024;
/** More than may wait, so that the rest hear 503. */
const mostConnections = 1_024;
/** Those of them that have shown no token. */
const mostStrangers = 768;
/** When a source may say it again, in seconds. */
const again = 15;

const more: Readonly<Record<number, Record<string, string>>> = {
  // panelops check knows the bot by it.
  401: { 'www-authenticate': 'Bearer realm="panelops"' },
  503: { 'retry-after': String(again) },
};

const words: Readonly<Record<number, string>> = {
  202: 'It is in the ledger.',
  400: 'The body has another form: see docs/alerts.md.',
  401: 'Send Authorization: Bearer, and a token of ALERTS_TOKEN.',
  404: 'POST to /alerts/alertmanager, /alerts/grafana or /alerts/generic.',
  405: 'Only POST.',
  413: 'The body is larger than 1 MiB.',
  415: 'Send JSON as it is, without an encoding.',
  503: 'It is not in the ledger: send it again.',
};

export interface Intake {
  /** Where it listens. */
  url: string;
  /** From now on this process takes what comes in. Until then, and where none acts, sources say it again later. */
  take(receive: Receive): void;
  close(): Promise<void>;
}

/** Listens for alerts. Rejects if the port is not free. */
export async function startIntake(parts: IntakeParts): Promise<Intake> {
  const { host, port, patience = 10_000 } = parts;
  const sourceOf = known(parts.tokens);
  let receive: Receive = () => Promise.resolve(false);
  /** Oldest first: of too many, that one makes room, so that whoever says nothing keeps nobody out. */
  const strangers = new Set<Socket>();
  const taking: Taking = { ...parts, sourceOf, strangers, receive: (...told) => receive(...told) };
  const server = createServer(
    { headersTimeout: patience, requestTimeout: patience, connectionsCheckingInterval: Math.min(1_000, patience) },
    (request, response) => {
      void serve(taking, request, response).catch((error: unknown) => {
        parts.log.warn({ problem: String(error) }, 'an alert could not be answered');
        request.destroy();
      });
    },
  );
  server.maxConnections = mostConnections;
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    const [oldest = socket] = strangers;
    if (strangers.size <= mostStrangers) return;
    strangers.delete(oldest);
    oldest.destroy();
  });
  // Whoever takes no answer keeps no connection.
  server.timeout = 6 * patience;
  await once(server.listen(port, host), 'listening');
  // It listens on TCP, so the address is an object.
  const { address, port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${chosen}`,
    take(by) {
      receive = by;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares with every token, each in the same time. */
function known(tokens: readonly Token[]) {
  const all = tokens.map(({ name, token }) => ({ name, expected: digest(`Bearer ${token}`) }));
  return ({ headersDistinct }: IncomingMessage): string | undefined => {
    // Of two, a proxy may have judged the other.
    const given = digest((headersDistinct['authorization'] ?? []).join('\n'));
    return all.filter(({ expected }) => timingSafeEqual(expected, given))[0]?.name;
  };
}

interface Taking extends IntakeParts {
  sourceOf: ReturnType<typeof known>;
  strangers: Set<Socket>;
  receive: Receive;
}

async function serve(
  { receive, observe, sourceOf, strangers }: Taking,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const source = sourceOf(request);
  const end = (status: number, outcome: Outcome): void => {
    observe(source, outcome);
    answer(request, response, status);
  };
  if (source === undefined) return end(401, 'refused');
  strangers.delete(request.socket);
  const form = /^\/alerts\/(alertmanager|grafana|generic)$/.exec(request.url ?? '')?.[1];
  // The expression names no other.
  const read = form === undefined ? undefined : bodies[form as keyof typeof bodies];
  if (read === undefined) return end(404, 'malformed');
  if (request.method !== 'POST') return end(405, 'malformed');
  if (request.headers['content-encoding'] !== undefined) return end(415, 'malformed');
  const body = await bodyOf(request);
  if (body === 'large') return end(413, 'malformed');
  const told = body === undefined ? undefined : read(jsonIn(body.toString('utf8')));
  if (told === undefined) return end(400, 'malformed');
  if (await receive(source, told)) end(202, 'taken');
  else end(503, 'later');
}

/** An answer before the whole body came closes the connection: nothing more of it is read. */
function answer(request: IncomingMessage, response: ServerResponse, status: number): void {
  const headers = { 'content-type': 'application/json', ...more[status] };
  if (!request.complete) response.once('finish', () => request.destroy());
  response.writeHead(status, request.complete ? headers : { ...headers, connection: 'close' });
  response.end(JSON.stringify({ says: words[status] }));
}

/** Undefined: it broke off, or took too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | 'large' | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > largest) return 'large';
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    // Left as it is at an early end: the answer closes it.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      // A request without an encoding gives buffers.
      pieces.push(piece as Buffer);
      size += (piece as Buffer).length;
      if (size > largest) return 'large';
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces);
}
