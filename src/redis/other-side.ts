import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Refusal, refusalOf } from './refusal.ts';

const speaksTls: Refusal = {
  problem: 'That Redis speaks TLS, and REDIS_URL does not',
  remedy: 'Let REDIS_URL begin with rediss://.',
};
const speaksNoTls: Refusal = {
  problem: 'REDIS_URL speaks TLS (rediss://), and that Redis does not',
  remedy: 'Use its TLS port (tls-port in redis.conf). Plain redis:// is for loopback alone.',
};

/** How long the other side has to answer, in ms. */
const patience = 1_000;

/**
 * Why a Redis never became ready, where its client cannot tell. Each of TLS and plain text hangs or closes on the other;
 * and what a Redis says before it closes is lost while the client still writes. Sends no secret.
 */
export async function otherSide(url: string): Promise<Refusal | undefined> {
  const { protocol, hostname, port } = new URL(url);
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 6379 : port) };
  if (protocol === 'rediss:') {
    const said = await firstWords(connect(to), 'PING\r\n');
    return said !== undefined && /^[+-]/.test(said) ? speaksNoTls : undefined;
  }
  const said = await firstWords(connect(to));
  if (said !== undefined) return refusalOf(new Error(said.slice(1)));
  return (await isTls(to)) ? speaksTls : undefined;
}

/** Undefined if nothing comes. */
const firstWords = (socket: Socket, greeting?: string): Promise<string | undefined> =>
  waiting(socket, (found) => {
    if (greeting !== undefined) socket.on('connect', () => socket.write(greeting));
    socket.on('data', (bytes) => found(bytes.toString('latin1')));
  });

/** Nothing is sent after the handshake, so that it does not matter whose certificate that is. */
function isTls(to: { host: string; port: number }): Promise<true | undefined> {
  const socket = connectTls({ ...to, rejectUnauthorized: false });
  return waiting(socket, (found) => socket.on('secureConnect', () => found(true)));
}

function waiting<T>(socket: Socket, listen: (found: (what: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const done = (what?: T): void => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(patience, () => done());
    socket.on('error', () => done()).on('close', () => done());
    listen(done);
  });
}
