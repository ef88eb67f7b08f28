import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { connectRedis } from './connect.ts';

/** A Redis of our own in a child process: nothing it holds outlives that process, which does not outlive this one. */
export interface EmbeddedRedis {
  /** `redis://:password@127.0.0.1:port`, for as long as it is not closed. */
  url: string;
  /** Of the process that there is now. One that ends is followed by another, empty, on the same port. */
  readonly pid: number;
  /** Ends that process as a crash would. */
  kill(): void;
  close(): Promise<void>;
}

/** What the child is told; without a port it finds a free one. */
interface Order {
  password: string;
  port?: number;
}

const startTimeout = 20_000;

/** A process that lived for so long, in ms, did not fail at its start: the next one may come at once. */
const soundLife = 5_000;

/** How long to wait before the next process, in ms, when so many in a row ended soon. */
const pause = (failures: number) => Math.min(10_000, 100 * 2 ** failures);

/**
 * Starts the embedded Redis with a random password on a free port, and resolves when it answers. A process that ends, killed
 * or not, is replaced within a second or two; later and later, up to ten seconds, when it keeps ending.
 */
export async function startEmbeddedRedis(log: Log): Promise<EmbeddedRedis> {
  const password = randomBytes(24).toString('base64url');
  const closing = new AbortController();
  let child = start({ password }, log);
  try {
    const port = await portOf(child);
    const url = `redis://:${password}@127.0.0.1:${port}`;
    await answers(url, log);
    const again = () => {
      child = start({ password, port }, log);
      return child;
    };
    const kept = keep(child, again, closing.signal, log);
    return {
      url,
      get pid() {
        // Without a pid there was no process: the next one is on its way.
        return child.pid ?? 0;
      },
      kill: () => void child.kill('SIGKILL'),
      async close() {
        closing.abort();
        // It has nothing to keep, and one that is frozen would not go otherwise.
        child.kill('SIGKILL');
        await kept;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Starts another process for each that ends, until `closing` says that the end is meant. */
async function keep(first: ChildProcess, again: () => ChildProcess, closing: AbortSignal, log: Log): Promise<void> {
  let failures = 0;
  for (let child = first; ; child = again()) {
    const began = performance.now();
    const [code, signal] = await ended(child);
    if (closing.aborted) return;
    log.error({ code, signal }, 'the embedded Redis has ended and is started again');
    failures = performance.now() - began > soundLife ? 0 : failures + 1;
    await delay(pause(failures), undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
  }
}

/** Resolves with exit code and signal; also for a child that could not be started. */
function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve([exitCode, signalCode]);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
    if (child.pid === undefined) child.once('error', () => resolve([null, null]));
  });
}

/** Starts the child; one that does not say within 20 seconds that it listens is killed. */
function start(order: Order, log: Log): ChildProcess {
  const child = fork(serverFile(), [], {
    // None of this process's secrets, debugger ports or loaders.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.stdout) forward(child.stdout, (facts, message) => log.debug(facts, message), 'embedded Redis');
  if (child.stderr) forward(child.stderr, (facts, message) => log.warn(facts, message), 'embedded Redis');
  child.on('error', (error) => log.error({ problem: error.message }, 'embedded Redis'));
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeout);
  for (const event of ['message', 'exit', 'error']) child.once(event, () => clearTimeout(timer));
  // One that has just died cannot be told anything: its end is noticed elsewhere.
  child.send(order, () => undefined);
  return child;
}

const started = z.object({ port: z.number() });

/** The port on which it listens; rejects when it ends before. */
async function portOf(child: ChildProcess): Promise<number> {
  const early = ended(child).then(([code, signal]) => {
    throw new Error(`the embedded Redis did not start: it ended with ${signal ?? code}`);
  });
  const message = new Promise((resolve) => child.once('message', resolve));
  return started.parse(await Promise.race([message, early])).port;
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
