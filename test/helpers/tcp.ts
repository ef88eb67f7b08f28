import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

// Of a server that listens on TCP, the address is an object.
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Lets a server listen on this machine, and gives its port; it ends with the test, and so do its connections. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
}

/** What becomes of bytes on their way. */
type Pass = (bytes: Buffer, to: Socket, end: () => void) => unknown;

const passOn: Pass = (bytes, to) => to.write(bytes);

/** A way to a Redis on this machine, which can be cut and mended. `link`: what each connection does with what passes. */
export async function openRelay(port: number, link: () => { asked?: Pass; answered?: Pass } = () => ({})) {
  const ends = new Set<() => void>();
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const { asked = passOn, answered = passOn } = link();
    const end = (): void => {
      ends.delete(end);
      client.destroy();
      server.destroy();
    };
    ends.add(end);
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => asked(bytes, server, end));
    server.on('data', (bytes) => answered(bytes, client, end));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const own = portOf(listener);
  const cut = async (): Promise<void> => {
    for (const end of ends) end();
    if (!listener.listening) return;
    listener.close();
    await once(listener, 'close');
  };
  return {
    url: `redis://127.0.0.1:${own}`,
    cut,
    /** Also of one that was cut twice, or is whole. */
    mend(): void {
      if (!listener.listening) listener.listen(own, '127.0.0.1');
    },
    isCut: () => !listener.listening,
  };
}

/** The same, gone with the test. */
export async function relay(...of: Parameters<typeof openRelay>) {
  const way = await openRelay(...of);
  onTestFinished(way.cut);
  return way;
}

/** The same, which can be cut, and be listened to, at what a client says. */
export async function wayTo(port: number) {
  let last: string | undefined;
  let awaited: { text: string; act(): void } | undefined;
  const way = await relay(port, () => {
    let isLast = false;
    return {
      asked(bytes, server) {
        server.write(bytes);
        if (awaited !== undefined && bytes.includes(awaited.text)) {
          const { act } = awaited;
          awaited = undefined;
          act();
        }
        if (last === undefined || !bytes.includes(last)) return;
        last = undefined;
        isLast = true;
      },
      answered: (bytes, client) => (isLast ? way.cut() : client.write(bytes)),
    };
  });
  return {
    ...way,
    /** Cuts it as soon as this text has gone through, and before the answer comes. */
    cutAfter(text: string) {
      last = text;
    },
    /** Acts as soon as this text has gone through. */
    when(text: string, act: () => void) {
      awaited = { text, act };
    },
  };
}
