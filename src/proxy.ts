import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import { getProxyForUrl } from 'proxy-from-env';
import type { buildConnector } from 'undici';
import { isLoopback } from './panel/url.ts';

/** The proxy for a URL, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY; none on this machine. */
export function proxyFor(url: string): URL | undefined {
  if (isLoopback(url)) return undefined;
  const proxy = getProxyForUrl(url);
  return proxy === '' ? undefined : new URL(proxy);
}

/** In ms. */
const usualPatience = 5_000;

/** Why there is no tunnel. `code` never looks like a fault of the server behind the proxy. */
class ProxyFailed extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`the proxy opens no tunnel: ${code}`);
    this.name = 'ProxyFailed';
    this.code = code;
  }
}

/** Has the proxy connect to `authority`, a host with its port. Rejects with ProxyFailed; nothing was sent on then. */
function openTunnel(proxy: URL, authority: string, patience: number): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? https : http;
  const login = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  return new Promise((resolve, reject) => {
    const asking = request(proxy, {
      ...{ method: 'CONNECT', path: authority, agent: false, auth: null },
      headers: {
        host: authority,
        ...(login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
      },
    });
    const fail = (code: string): void => {
      clearTimeout(timer);
      asking.destroy();
      reject(new ProxyFailed(code));
    };
    const timer = setTimeout(() => fail('UND_ERR_CONNECT_TIMEOUT'), patience);
    asking.once('error', () => fail('PROXY_UNREACHABLE'));
    asking.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode !== 200) return fail(`PROXY_${statusCode}`);
      clearTimeout(timer);
      resolve(socket);
    });
    asking.end();
  });
}

/** The same connections, through a proxy where there is one. `patience`: how long the proxy may take, in ms. */
export function throughProxy(connect: buildConnector.connector, patience = usualPatience): buildConnector.connector {
  return (options, connected) => {
    // The host has its port, and an IPv6 address its brackets.
    const url = `${options.protocol}//${options.host}`;
    const proxy = proxyFor(url);
    if (proxy === undefined) return connect(options, connected);
    openTunnel(proxy, authorityOf(url), patience).then(
      (httpSocket) => connect({ ...options, httpSocket }, connected),
      (error: Error) => connected(error, null),
    );
  };
}

/** With its port, which CONNECT needs. */
function authorityOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** For Node's own client: an agent that reaches what a URL names through its proxy; undefined: it has none. */
export function tunnelAgent(url: string): http.Agent | undefined {
  const proxy = proxyFor(url);
  if (proxy === undefined) return undefined;
  const isSecure = new URL(url).protocol === 'https:';
  const agent = isSecure ? new https.Agent() : new http.Agent();
  agent.createConnection = (options: tls.ConnectionOptions, connected) => {
    openTunnel(proxy, `${options.host}:${options.port}`, usualPatience).then(
      (socket) => connected?.(null, isSecure ? tls.connect({ ...options, socket }) : socket),
      // Node reads no socket beside an error.
      (error: Error) => connected?.(error, new Duplex()),
    );
    return undefined;
  };
  return agent;
}
