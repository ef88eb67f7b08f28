import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, Client, type Dispatcher } from 'undici';
import { answerTimeout, type Failure, type Reply } from './errors.ts';

/** One request as it goes over the wire. `answerMs` counts from the first byte sent to the last one received. */
interface Outgoing {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | null;
  answerMs: number;
}

export interface Wire {
  /** Sends once and never rejects. `fresh`: on a connection of its own. */
  send(outgoing: Outgoing, fresh: boolean): Promise<Reply | Failure>;
  /** Sends nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

const largestAnswer = 5 * 1024 * 1024;

/** The connections to one origin. `ca` is a PEM that is trusted beside the usual CAs. */
export function createWire(origin: string, connectMs: number, ca: string | undefined): Wire {
  const connection = {
    connect: buildConnector({
      timeout: connectMs,
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    }),
    maxResponseSize: largestAnswer,
    // The whole answer has one deadline instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const kept = new Agent(connection);
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  async function sendFresh(outgoing: Outgoing): Promise<Reply | Failure> {
    const client = new Client(origin, { ...connection, pipelining: 0 });
    const came = await dispatch(client, origin, outgoing);
    await client.destroy();
    return came;
  }

  return {
    async send(outgoing, fresh) {
      if (closed) return { code: 'UND_ERR_CLOSED', sent: false };
      const sending = fresh ? sendFresh(outgoing) : dispatch(kept, origin, outgoing);
      underWay.add(sending);
      const came = await sending;
      underWay.delete(sending);
      return came;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
      await kept.destroy();
    },
  };
}

/** Uses undici's own events, because only they say whether a request began to be written. */
function dispatch(
  dispatcher: Dispatcher,
  origin: string,
  { answerMs, ...request }: Outgoing,
): Promise<Reply | Failure> {
  return new Promise((resolve) => {
    let sent = false;
    let started: Omit<Reply, 'text'> | undefined;
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
          started = { status, headers };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve(started ? { ...started, text: Buffer.concat(chunks).toString() } : { code: 'NO_STATUS', sent });
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
