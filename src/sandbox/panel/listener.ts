import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** The server on 127.0.0.1, which can be made to fail. */
export interface Listener {
  /** Passes requests to this handler. */
  serve(handler: RequestListener): Server;
  /** Opens the port; the same one again after `refuse`. */
  listen(): Promise<void>;
  listening(): boolean;
  /** 0 before the first `listen`. */
  port(): number;
  /** Closes the port: new connections are refused, open requests are still answered. */
  refuse(): void;
  /** Uses this certificate for new connections and drops idle ones; only with TLS. */
  present(certificate: Certificate): void;
  /** Ends everything, including open requests. */
  close(): Promise<void>;
}

/** A server that does not listen yet. Port 0: `last` if that is free, otherwise any. */
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
    // The address of a TCP server is neither a path nor null.
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
