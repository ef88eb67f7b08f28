import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../tcp.ts';

/** One answer: what a server says to one request. A string or bytes are sent as they are, anything else as JSON; status 0 cuts the connection. */
export interface Said {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** It is not said before. */
  after?: Promise<unknown>;
}

interface Heard {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The client's port: one for each connection. */
  port: number;
}

/** A plain HTTP server that sends these answers in turn, repeats the last one, and records requests. */
export async function serve(...answers: Said[]) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers, socket } = request;
    heard.push({ method, path, headers, body: await text(request), port: socket.remotePort ?? 0 });
    const {
      status,
      headers: said,
      body,
      after,
    }: Said = answers[Math.min(heard.length, answers.length) - 1] ?? { status: 200 };
    await after;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    const isPlain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { ...(isPlain ? {} : { 'content-type': 'application/json' }), ...said });
    response.end(isPlain ? body : JSON.stringify(body));
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, heard, server };
}

/** A clock that stands still until somebody waits. */
export function createClock() {
  let at = 1_800_000_000_000;
  const waits: number[] = [];
  return {
    now: () => at,
    wait: (ms: number) => {
      waits.push(ms);
      at += ms;
      return Promise.resolve();
    },
    /** Every wait so far, in milliseconds. */
    waits,
    /** Now, in Unix seconds. */
    seconds: () => at / 1000,
  };
}
