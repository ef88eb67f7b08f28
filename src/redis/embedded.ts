import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { connectRedis } from './connect.ts';

/** A Redis of our own in a child process: nothing it holds outlives it, and it does not outlive this process. */
export interface EmbeddedRedis {
  /** `redis://:password@127.0.0.1:port` */
  url: string;
  pid: number;
  close(): Promise<void>;
}

const startTimeout = 20_000;

/** Starts the embedded Redis with a random password on a free port, and resolves when it answers. */
export async function startEmbeddedRedis(log: Log): Promise<EmbeddedRedis> {
  const password = randomBytes(24).toString('base64url');
  const { child, port } = await launch({ password }, log);
  const url = `redis://:${password}@127.0.0.1:${port}`;
  try {
    await answers(url, log);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  let closing = false;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!closing) log.error({ code, signal }, 'the embedded Redis has ended');
      resolve();
    });
  });
  return {
    url,
    // A child that has answered has a pid.
    pid: child.pid ?? 0,
    async close() {
      closing = true;
      if (child.connected) child.disconnect();
      const reluctant = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await exited;
      clearTimeout(reluctant);
    },
  };
}

const started = z.object({ port: z.number() });

/** Starts the child; without `port` it finds a free one. Rejects when it ends or says nothing for 20 seconds. */
async function launch(order: { password: string; port?: number }, log: Log) {
  const child = fork(serverFile(), [], {
    // None of this process's secrets, debugger ports or loaders.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.stdout) forward(child.stdout, (facts, message) => log.info(facts, message), 'embedded Redis');
  if (child.stderr) forward(child.stderr, (facts, message) => log.warn(facts, message), 'embedded Redis');
  child.on('error', (error) => log.error({ problem: error.message }, 'embedded Redis'));
  child.send(order);
  return { child, port: await portOf(child) };
}

async function portOf(child: ChildProcess): Promise<number> {
  const settled = new AbortController();
  const { signal } = settled;
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeout);
  try {
    const ended = once(child, 'exit', { signal }).then(([code, killed]) => {
      throw new Error(`the embedded Redis did not start: it ended with ${killed ?? code}`);
    });
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return started.parse(message).port;
  } finally {
    clearTimeout(timer);
    settled.abort();
  }
}

function forward(stream: Readable, write: Log['info'], message: string) {
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim() !== '') write({ line: line.trim() }, message);
  });
}

async function answers(url: string, log: Log) {
  const handle = connectRedis(url, log);
  try {
    await handle.ready();
    await handle.redis.ping();
  } finally {
    await handle.close();
  }
}

/** Node 20 does not run TypeScript: from the sources, the child is the compiled file. */
function serverFile(): string {
  const here = import.meta.url;
  const compiled = here.endsWith('.ts') ? '../../dist/src/redis/embedded-server.js' : './embedded-server.js';
  const file = fileURLToPath(new URL(compiled, here));
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  return file;
}
