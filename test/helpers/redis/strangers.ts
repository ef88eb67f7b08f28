import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The address of a server that ends with the test. */
async function addressOf(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // Of a server that listens on TCP, the address is an object.
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers whatever it is asked with these words, or says them at once and closes. */
export function sayer(words: string, { atOnce = false } = {}): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (atOnce) socket.end(`${words}\r\n`);
    socket.on('data', (bytes) => {
      for (const _command of bytes.toString('latin1').matchAll(/^\*\d+\r$/gm)) socket.write(`${words}\r\n`);
    });
  });
  return addressOf(server);
}

/** Before a real Redis: what it says is changed, or the connection ends at a command. */
export function proxy(port: number, { change, endAt }: { change?: (said: string) => string; endAt?: RegExp }) {
  const server = createServer((client) => {
    const real = connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      real.destroy();
    };
    for (const socket of [client, real]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => (endAt?.test(bytes.toString('latin1')) ? end() : real.write(bytes)));
    real.on('data', (bytes) => client.write(change ? Buffer.from(change(bytes.toString('latin1')), 'latin1') : bytes));
  });
  return addressOf(server);
}

/** A server with these arguments, which ends with the test, once it says this. */
export async function serverSaying(program: string, args: readonly string[], word: string): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (bytes) => String(bytes).includes(word) && resolve());
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}
