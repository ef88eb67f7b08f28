import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { refusalOf } from '../guard.ts';
import type { Session, Sessions } from './sessions.ts';
import { INTENTS } from './world.ts';

/** Close codes after which a session cannot be resumed. */
const FINAL = [1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014];
const ALL_INTENTS = (1 << 26) - 1;
const MAX_PAYLOAD = 4096;
const MAX_PAYLOADS_A_MINUTE = 120;

const packetShape = z.object({ op: z.number(), d: z.unknown().optional() });
const identifyShape = z.object({
  token: z.string(),
  intents: z.number(),
  shard: z.tuple([z.number(), z.number()]).optional(),
});
const resumeShape = z.object({ token: z.string(), session_id: z.string(), seq: z.number().nullable() });

export interface GatewayOptions {
  sessions: Sessions;
  token: string;
  heartbeatMs: number;
  /** Bits of the privileged intents granted to the application. */
  granted: number;
  outage: () => boolean;
  /** The first events of a new session: READY with its id, then the guild. */
  readyEvents: (session: Session) => [t: string, d: unknown][];
  changed: () => void;
}

export interface Gateway {
  /** Closes every connection; 1006 means without a close frame. */
  readonly drop: (code: number) => void;
  /** Op 7: asks every connection to reconnect. */
  readonly reconnect: () => void;
  /** Sends a packet of any form; a text as it is. */
  readonly write: (packet: unknown) => void;
  readonly close: () => void;
}

/** Gateway v10 in JSON, on the HTTP server's upgrades. */
export function openGateway(server: Server, options: GatewayOptions): Gateway {
  const sockets = new WebSocketServer({ noServer: true });
  const links = new Set<Link>();
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'ws://gateway');
    socket.on('error', () => socket.destroy());
    const status = answerTo(request, url, options);
    if (status !== 101) {
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const link = connect(ws, url, options);
      links.add(link);
      ws.on('close', () => links.delete(link));
    });
  });
  return {
    drop: (code) => {
      for (const link of links) link.close(code);
    },
    reconnect: () => {
      for (const link of links) link.send({ op: 7, d: null });
    },
    write: (packet) => {
      for (const link of links) link.write(typeof packet === 'string' ? packet : JSON.stringify(packet));
    },
    close: () => {
      for (const link of links) link.close(1006);
      sockets.close();
    },
  };
}

/** The status that answers an upgrade; 101 accepts it. */
function answerTo(request: IncomingMessage, url: URL, { outage }: GatewayOptions): number {
  const refused = refusalOf(request);
  if (refused !== undefined) return refused.status;
  if (outage()) return 503;
  return url.pathname === '/gateway' ? 101 : 404;
}

interface Link {
  close: (code: number, reason?: string) => void;
  send: (packet: object) => void;
  write: (text: string) => void;
}

function connect(ws: WebSocket, url: URL, options: GatewayOptions): Link {
  let session: Session | undefined;
  let closedWith: number | undefined;
  let received: number[] = [];
  const write = (text: string) => ws.send(text);
  const send = (packet: object) => write(JSON.stringify(packet));
  const close = (code: number, reason = '') => {
    closedWith ??= code;
    // The session counts as lost from now on, even if the client notices later: further events are kept for its
    // resume.
    leave(code);
    if (code === 1006) ws.terminate();
    else ws.close(code, reason);
  };
  const leave = (code: number) => {
    // Another connection may have resumed the session.
    if (session?.send !== send) return;
    if (FINAL.includes(code)) options.sessions.end(session);
    else options.sessions.lose(session);
    options.changed();
  };
  const link: Link = { close, send, write };

  const patience = () => setTimeout(() => close(4009, 'Session timed out.'), options.heartbeatMs * 1.5);
  let heartbeat = patience();
  const beat = () => {
    clearTimeout(heartbeat);
    heartbeat = patience();
    send({ op: 11 });
  };
  ws.on('error', () => ws.terminate());
  ws.on('close', (code) => {
    clearTimeout(heartbeat);
    leave(closedWith ?? code);
  });

  const authenticate = (by: typeof identify | typeof resume, d: unknown) => {
    const result = session === undefined ? by(d, link, options) : alreadyAuthenticated;
    if (result === undefined) return;
    if (Array.isArray(result)) return close(...result);
    session = result;
    options.changed();
  };
  ws.on('message', (data, isBinary) => {
    if (closedWith !== undefined) return;
    received = [...received.filter((at) => performance.now() - at < 60_000), performance.now()];
    if (received.length > MAX_PAYLOADS_A_MINUTE) return close(4008, 'You are being rate limited.');
    const packet = isBinary ? undefined : decode(String(data));
    if (!packet) return close(4002, 'Error while decoding payload.');
    if (packet.op === 1) return beat();
    if (packet.op === 2) return authenticate(identify, packet.d);
    if (packet.op === 6) return authenticate(resume, packet.d);
    if (![3, 4, 8].includes(packet.op)) return close(4001, 'Unknown opcode.');
    // Presence, voice and member requests are accepted and have no effect here.
    if (!session) close(4003, 'Not authenticated.');
  });

  if (url.searchParams.get('v') !== '10') close(4012, 'Invalid API version.');
  else if ((url.searchParams.get('encoding') ?? 'json') !== 'json') close(4002, 'Only JSON is spoken here.');
  else send({ op: 10, d: { heartbeat_interval: options.heartbeatMs, _trace: [] } });
  return link;
}

type Refusal = [code: number, reason: string];
const alreadyAuthenticated: Refusal = [4005, 'Already authenticated.'];
const undecodable: Refusal = [4002, 'Error while decoding payload.'];

function identify(d: unknown, { send }: Link, options: GatewayOptions): Session | Refusal {
  const asked = identifyShape.safeParse(d);
  if (!asked.success) return undecodable;
  const refused = refuseIdentify(asked.data, options);
  if (refused) return refused;
  const session = options.sessions.open(asked.data.intents, send);
  for (const [t, data] of options.readyEvents(session)) {
    const wanted = t === 'READY' || (asked.data.intents & INTENTS.guilds) !== 0;
    if (wanted) options.sessions.send(session, t, data);
  }
  return session;
}

/** Resumes a session and sends what it missed; otherwise asks the client to identify, and returns undefined. */
function resume(d: unknown, { send }: Link, options: GatewayOptions): Session | Refusal | undefined {
  const asked = resumeShape.safeParse(d);
  if (!asked.success) return undecodable;
  if (asked.data.token !== options.token) return [4004, 'Authentication failed.'];
  const seq = asked.data.seq ?? 0;
  const found = options.sessions.resumable(asked.data.session_id, seq);
  if (!found) {
    send({ op: 9, d: false });
    return undefined;
  }
  if (seq > found.seq) return [4007, 'Invalid seq.'];
  for (const packet of found.sent.filter((one) => one.s > seq)) send(packet);
  found.send = send;
  options.sessions.send(found, 'RESUMED', { _trace: [] });
  return found;
}

function decode(text: string): { op: number; d?: unknown } | undefined {
  if (Buffer.byteLength(text) > MAX_PAYLOAD) return undefined;
  try {
    const packet = packetShape.safeParse(JSON.parse(text));
    return packet.success ? packet.data : undefined;
  } catch {
    return undefined;
  }
}

function refuseIdentify(asked: z.infer<typeof identifyShape>, options: GatewayOptions): Refusal | undefined {
  const privileged = INTENTS.members | INTENTS.presences | INTENTS.content;
  if (asked.token.replace(/^Bot /, '') !== options.token) return [4004, 'Authentication failed.'];
  if (!Number.isInteger(asked.intents) || asked.intents < 0 || asked.intents > ALL_INTENTS) {
    return [4013, 'Invalid intent(s).'];
  }
  if ((asked.intents & privileged & ~options.granted) !== 0) return [4014, 'Disallowed intent(s).'];
  const [shard, shards] = asked.shard ?? [0, 1];
  if (shard < 0 || shard >= shards) return [4010, 'Invalid shard.'];
  return undefined;
}
