import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can be cut. */
export interface Way {
  port: number;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** While it is cut, connections are taken and closed at once: to the client, the server is gone. */
export async function openWay(port: number): Promise<Way> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    const end = (): void => {
      sockets.delete(socket);
      socket.destroy();
      other.destroy();
    };
    socket.on('error', end).on('close', end);
    socket.on('data', (chunk) => void other.write(chunk));
  };
  const listener = createServer((client) => {
    if (isCut) return void client.destroy();
    const server = connect(port, '127.0.0.1');
    keep(client, server);
    keep(server, client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const drop = (): void => {
    for (const socket of [...sockets]) socket.destroy();
  };
  return {
    // Of a server that listens on TCP, the address is an object.
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async close() {
      isCut = true;
      drop();
      listener.close();
      await once(listener, 'close');
    },
  };
}
