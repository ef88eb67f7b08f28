import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { ownRedisServer, startBot, surroundings } from './bot-process.ts';
import { until } from './messages.ts';

/** A way to a server on this machine that can be cut and mended. */
export async function wayTo(port: number) {
  const sockets = new Set<Socket>();
  let last: string | undefined;
  let poison: string | undefined;
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const end = () => void [client, server].map((each) => each.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (chunk) => {
      if (poison !== undefined && chunk.includes(poison)) {
        poison = undefined;
        return end();
      }
      server.write(chunk);
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
    /** Whether that has been so. */
    isCut: () => !listener.listening,
    /** Breaks the one connection by which this text goes, before it arrives. */
    breakAt(text: string) {
      poison = text;
    },
  };
}

export const isLost = ({ logged }: { logged(): string }): boolean =>
  /Redis connection lost|Redis cannot be reached/.test(logged());

/** Two processes with one ledger; the second has a way of its own to Redis. */
export async function pair() {
  const [around, redis] = [await surroundings(), await ownRedisServer()];
  const way = await wayTo(redis.port);
  const other = await startBot(around, { env: { REDIS_URL: redis.url, LEDGER: 'redis' } });
  const lost = await startBot(around, { env: { REDIS_URL: way.url, LEDGER: 'redis' } });
  return { around, lost, other, way };
}

/** The same, of which the second has lost its way to Redis. */
export async function half() {
  const both = await pair();
  await both.way.cut();
  await until(() => isLost(both.lost), 'the loss in the log');
  return both;
}
