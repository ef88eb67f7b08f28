import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Log } from '../../../src/outcome.ts';
import { connectRedis, type RedisHandle } from '../../../src/redis/connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../../src/redis/embedded.ts';

/** A log that keeps what it is given, as text. */
export function notes(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (facts: object, message: string) => lines.push(`${message} ${JSON.stringify(facts)}`);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** An embedded Redis of its own for a test file, and connections to it that are closed with it. */
export function ownRedis() {
  const handles: RedisHandle[] = [];
  let server: EmbeddedRedis | undefined;
  beforeAll(async () => {
    server = await startEmbeddedRedis(notes());
  });
  afterAll(async () => {
    for (const handle of handles) await handle.close();
    await server?.close();
  });
  const running = () => {
    if (!server) throw new Error('the embedded Redis is not up yet');
    return server;
  };
  return {
    running,
    async connect() {
      const handle = connectRedis(running().url, notes());
      handles.push(handle);
      await handle.ready();
      return handle.redis;
    },
  };
}

/** The server's process alone, on a port that is given: what comes back, empty, where another one was. */
export async function serverAt(port: number, password: string) {
  const file = fileURLToPath(new URL('../../../dist/src/redis/embedded-server.js', import.meta.url));
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send({ port, password });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => [{ exited: code }]),
  ]);
  return message;
}
