import { rootCertificates, TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { throughProxy } from '../proxy.ts';
import { decodeBody, maxAnswerBytes, tooLarge } from './decode.ts';
import { answerTimeout, type Failure, givenUp } from './errors.ts';
import type { Reply } from './reply.ts';

/** One request on the wire. `answerMs` counts from the first byte sent to the last one received. */
interface Outgoing {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | null;
  answerMs: number;
}

interface Wire {
  /** Sends once and never rejects. `isAlone`: on a connection of its own. */
  send(outgoing: Outgoing, isAlone: boolean): Promise<Reply | Failure>;
  /** Stops sending and waits for requests in progress. */
  close(): Promise<void>;
}

interface WireOptions {
  connectMs: number;
  /** PEM to trust in addition to the usual CAs. */
  ca?: string;
  /** Asked for a request on a connection of its own, once that is there: false, and nothing is written. */
  mayLeave?: () => boolean;
  /** Called with the end of the certificate, in ms, at each new connection with TLS. */
  onCertificate?(end: number): void;
}

const mayNotLeave = Object.assign(new Error('another process may act now'), { code: givenUp });

function connectorOf(
  { connectMs, ca, onCertificate, mayLeave = () => true }: WireOptions,
  keepAlive: boolean,
): buildConnector.connector {
  const direct = buildConnector({
    timeout: connectMs,
    rejectUnauthorized: true,
    keepAlive,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  });
  const connect = throughProxy(direct, connectMs);
  return (options, connected) =>
    connect(options, (...came) => {
      const [, socket] = came;
      const end = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
      if (!Number.isNaN(end)) onCertificate?.(end);
      // Between this and the write of a change, nothing waits: connecting may have taken longer than the lead lasts.
      if (keepAlive || socket === null || mayLeave()) return connected(...came);
      socket.destroy();
      connected(mayNotLeave, null);
    });
}

export function createWire(origin: string, options: WireOptions): Wire {
  const connection = {
    maxResponseSize: maxAnswerBytes,
    // One deadline covers the whole answer instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const kept = new Agent({ ...connection, connect: connectorOf(options, true) });
  // Without pipelining, undici uses each connection for a single request.
  const fresh = new Agent({ ...connection, connect: connectorOf(options, false), pipelining: 0 });
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  return {
    async send(outgoing, isAlone) {
      if (closed) return { code: 'UND_ERR_CLOSED', sent: false };
      const sending = dispatch(isAlone ? fresh : kept, origin, outgoing);
      underWay.add(sending);
      const came = await sending;
      underWay.delete(sending);
      return came;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** Uses undici's low-level handlers: only they tell whether a request began to be written. */
function dispatch(
  dispatcher: Dispatcher,
  origin: string,
  { answerMs, ...request }: Outgoing,
): Promise<Reply | Failure> {
  return new Promise((resolve) => {
    let sent = false;
    let started: Pick<Reply, 'status' | 'headers'> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const chunks: Buffer[] = [];
    dispatcher.dispatch(
      { origin, ...request },
      {
        onRequestStart(controller) {
          sent = true;
          const late = Object.assign(new Error('no whole answer in time'), { code: answerTimeout });
          timer = setTimeout(() => controller.abort(late), answerMs);
        },
        onResponseStart(_controller, status, headers) {
          // Hints before the answer have one of 100 and more.
          if (status >= 200) started = { status, headers };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve(started ? readBody(started, Buffer.concat(chunks)) : { code: 'NO_STATUS', sent });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          const code = 'code' in error ? String(error.code) : error.name;
          resolve(started ? { code, sent, status: started.status } : { code, sent });
        },
      },
    );
  });
}

async function readBody(started: Pick<Reply, 'status' | 'headers'>, bytes: Buffer): Promise<Reply | Failure> {
  const { status } = started;
  const decoded = await decodeBody(bytes, started.headers);
  if ('code' in decoded) return { ...decoded, sent: true, status };
  const parsed = parseJson(decoded.text);
  return parsed === 'too large' ? { code: tooLarge, sent: true, status } : { ...started, ...decoded, ...parsed };
}

/** Far more than any answer needs that people look at, and little enough to be handled at once. */
const maxValues = 50_000;
const maxDepth = 20;
/** Only what changes something is judged by a single member, and such answers are short. */
const maxCheckedForTwins = 65_536;

/**
 * Reads JSON. Refuses, before it is parsed, what is nested too deep or has too many values, so that nothing behind this
 * has to bound its recursion; and a name that one object has twice: which of the two counts is anybody's guess.
 */
export function parseJson(text: string): { body?: unknown } | 'too large' {
  const names = namesIn(text);
  if (names === undefined) return 'too large';
  try {
    const body: unknown = JSON.parse(text);
    return text.length <= maxCheckedForTwins && names !== namesOf(body) ? {} : { body };
  } catch {
    return {};
  }
}

const codes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  open: [0x5b, 0x7b],
  close: [0x5d, 0x7d],
} as const;

/** How many names it has: each has a colon. Looks at each character outside of texts once. Undefined: it is too large. */
function namesIn(text: string): number | undefined {
  let [depth, values, names] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfText(text, at);
    else if (code === codes.open[0] || code === codes.open[1]) {
      depth += 1;
      values += 1;
    } else if (code === codes.close[0] || code === codes.close[1]) depth -= 1;
    else if (code === codes.comma) values += 1;
    else if (code === codes.colon) names += 1;
    if (depth > maxDepth || values > maxValues) return undefined;
  }
  return names;
}

function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === codes.backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, each) => sum + namesOf(each), own);
}
