import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** The server on 127.0.0.1 that can be made to misbehave as such. */
export interface Listener {
  /** Hands requests to this handler. */
  serve(handler: RequestListener): Server;
  /** Takes the port; the same again after `refuse`. */
  listen(): Promise<void>;
  listening(): boolean;
  /** 0 until it has listened. */
  port(): number;
  /** Gives the port up: new connections are refused, requests that are open are still answered. */
  refuse(): void;
  /** Shows this certificate to new connections and drops the idle ones; only with TLS. */
  present(certificate: Certificate): void;
  /** Ends everything, also what is open. */
  close(): Promise<void>;
}

/** A server, with TLS when there is a certificate; it does not listen yet. Port 0 takes a free one, `last` where that is free. */
export function createListener(wantedPort: number, certificate: Certificate | undefined, last: number): Listener {
  const secure = certificate && createTlsServer({ cert: certificate.cert, key: certificate.key });
  const server = secure ?? createServer();
  let port = 0;
  let opening: Promise<void> | undefined;

  async function listenAt(wanted: number): Promise<void> {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  }

  async function open(): Promise<void> {
    const wanted = port || wantedPort;
    if (wanted === 0) await listenAt(last).catch(() => listenAt(0));
    else await listenAt(wanted);
    // What listens on TCP has neither a path nor null for an address.
    port = (server.address() as AddressInfo).port;
  }

  return {
    serve: (handler) => server.on('request', handler),
    async listen() {
      if (server.listening) return;
      opening ??= open().finally(() => {
        opening = undefined;
      });
      await opening;
    },
    listening: () => server.listening,
    port: () => port,
    refuse() {
      server.close();
    },
    present({ cert, key }) {
      secure?.setSecureContext({ cert, key });
      server.closeIdleConnections();
    },
    async close() {
      await opening;
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
