import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listening } from '../tcp.ts';

/** A proxy that opens tunnels, for one user. Whatever host it is asked for, it connects to `port` of this machine. */
export async function startProxy(port: () => number) {
  const asked: string[] = [];
  const tunnels = new Set<Socket>();
  const proxy = createServer((_, answer) => void answer.writeHead(501).end());
  let deed: 'connects' | 'refuses' | 'hangs' | 'drops' = 'connects';
  proxy.on('connection', (socket: Socket) => {
    tunnels.add(socket);
    socket.on('error', () => socket.destroy());
  });
  proxy.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push(url);
    if (headers['proxy-authorization'] !== `Basic ${Buffer.from('bot:proxy-canary').toString('base64')}`)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (deed === 'refuses') return socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    if (deed === 'drops') return socket.destroy();
    if (deed === 'hangs') return undefined;
    const onwards = connect(port(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onwards).pipe(socket);
    });
    tunnels.add(onwards);
    onwards.on('error', () => socket.destroy());
    return undefined;
  });
  const own = await listening(proxy);
  return {
    url: `http://bot:proxy-canary@127.0.0.1:${own}`,
    /** The hosts with their ports, in order. */
    asked,
    does(what: typeof deed) {
      deed = what;
    },
    /** Ends all tunnels. */
    cut(): void {
      for (const socket of tunnels) socket.destroy();
      tunnels.clear();
    },
  };
}
