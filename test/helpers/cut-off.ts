import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a server on this machine that can be cut and mended. */
export async function wayTo(port: number) {
  const sockets = new Set<Socket>();
  let last: string | undefined;
  let awaited: { text: string; act(): void } | undefined;
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const end = () => void [client, server].map((each) => each.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (chunk) => {
      server.write(chunk);
      if (awaited !== undefined && chunk.includes(awaited.text)) {
        const { act } = awaited;
        awaited = undefined;
        act();
      }
      if (last === undefined || !chunk.includes(last)) return;
      last = undefined;
      listener.close();
      // Its answer to that is dropped.
      server.removeAllListeners('data').on('data', () => {
        for (const socket of sockets) socket.destroy();
      });
    });
    server.on('data', (chunk) => void client.write(chunk));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // Of a server that listens on TCP, the address is an object.
  const own = (listener.address() as AddressInfo).port;
  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    if (!listener.listening) return;
    listener.close();
    await once(listener, 'close');
  };
  onTestFinished(cut);
  return {
    url: `redis://127.0.0.1:${own}`,
    cut,
    mend: () => void listener.listen(own, '127.0.0.1'),
    /** Cuts it as soon as this text has gone through, and before the answer comes. */
    cutAfter(text: string) {
      last = text;
    },
    /** Acts as soon as this text has gone through. */
    when(text: string, act: () => void) {
      awaited = { text, act };
    },
    /** Whether that has been so. */
    isCut: () => !listener.listening,
  };
}
