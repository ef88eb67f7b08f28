import { rootCertificates, TLSSocket } from 'node:tls';
import { buildConnector, Pool } from 'undici';
import { throughProxy } from '../proxy.ts';
import { maxAnswerBytes, readBody } from './body.ts';
import { answerTimeout, type Failure, givenUp, type Reply } from './reply.ts';
import { limitsIn } from './token.ts';

/** One request on the wire. `answerMs` counts from the first byte sent to the last one received. */
interface Outgoing {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | null;
  answerMs: number;
}

/** What the panel's answers reveal beside their content. Each fact comes from the last answer that had it. */
export interface PanelFacts {
  /** When the panel's certificate ends, in ms. */
  certificateEnd?: number;
  /** How far the panel's clock is ahead of ours, in ms. */
  skew?: number;
  budget?: { limit: number; remaining: number };
  /** Why the last attempt brought no answer: undici's, OpenSSL's or the system's code. */
  code?: string;
}

interface Wire {
  /** Sends once and never rejects. `isAlone`: on a connection of its own. */
  send(outgoing: Outgoing, isAlone: boolean): Promise<Reply | Failure>;
  /** What the answers so far revealed. */
  facts(): PanelFacts;
  /** Stops sending and waits for requests in progress. */
  close(): Promise<void>;
}

interface WireOptions {
  connectMs: number;
  /** PEM to trust in addition to the usual CAs. */
  ca?: string;
  /** Asked for a request on a connection of its own, once that is there: false, and nothing is written. */
  mayLeave?: () => boolean;
  now(): number;
}

const mayNotLeave = Object.assign(new Error('another process may act now'), { code: givenUp });

function connectorOf(
  { connectMs, ca, mayLeave = () => true }: WireOptions,
  keepAlive: boolean,
  onCertificate: (end: number) => void,
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
      if (!Number.isNaN(end)) onCertificate(end);
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
  let closing: Promise<unknown> | undefined;
  let facts: PanelFacts = {};
  const onCertificate = (certificateEnd: number): void => {
    facts = { ...facts, certificateEnd };
  };
  const kept = new Pool(origin, { ...connection, connect: connectorOf(options, true, onCertificate) });
  // Without pipelining, undici uses each connection for a single request.
  const fresh = new Pool(origin, { ...connection, connect: connectorOf(options, false, onCertificate), pipelining: 0 });

  return {
    async send(outgoing, isAlone) {
      const came = await dispatch(isAlone ? fresh : kept, outgoing);
      facts = factsAfter(came, facts, options.now());
      return came;
    },
    facts: () => facts,
    async close() {
      closing ??= Promise.all([kept.close(), fresh.close()]);
      await closing;
    },
  };
}

const late = 'no whole answer in time';

/** Uses undici's low-level handlers: only they tell whether a request began to be written. */
function dispatch(pool: Pool, { answerMs, ...request }: Outgoing): Promise<Reply | Failure> {
  return new Promise((resolve) => {
    let sent = false;
    let started: Pick<Reply, 'status' | 'headers'> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const chunks: Buffer[] = [];
    pool.dispatch(request, {
      onRequestStart(controller) {
        sent = true;
        timer = setTimeout(() => controller.abort(Object.assign(new Error(late), { code: answerTimeout })), answerMs);
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
    });
  });
}

function factsAfter(result: Reply | Failure, { code: _, ...before }: PanelFacts, now: number): PanelFacts {
  if ('code' in result) return { ...before, code: result.code };
  const { limit, minute } = limitsIn(result.headers, now);
  const budget = limit === undefined || minute === undefined ? undefined : { limit, remaining: minute.remaining };
  return { ...before, budget: budget ?? before.budget, skew: skewOf(result.headers['date'], now) ?? before.skew };
}

/** A Date header has whole seconds: on average it is half a second late. */
function skewOf(date: string | string[] | undefined, now: number): number | undefined {
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? undefined : at + 500 - now;
}
