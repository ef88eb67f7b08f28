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
import type { Order } from './embedded-server.ts';

export type EmbeddedRedis = Awaited<ReturnType<typeof startEmbeddedRedis>>;

const startTimeout = 20_000;

/** A process that ran for this long, in ms, did not fail at startup: the next one may start at once. */
const stableAfter = 5_000;

/** The delay before the next process, in ms, after this many early failures in a row. */
const pause = (failures: number) => Math.min(10_000, 100 * 2 ** failures);

/**
 * Starts the embedded Redis in a child process, whose data does not outlive it, and which does not outlive this one, with a
 * random password on a free port; resolves when it answers. A process that ends is
 * replaced within a second or two; if it keeps ending, with delays of up to ten seconds. Rejects when `stopping` comes
 * before it answers.
 */
export async function startEmbeddedRedis(log: Log, stopping?: AbortSignal) {
  const password = randomBytes(24).toString('base64url');
  const closing = new AbortController();
  let child = start({ password }, log);
  try {
    const port = await unless(stopping, portOf(child));
    const url = `redis://:${password}@127.0.0.1:${port}`;
    await answers(url, log, stopping);
    const restart = () => {
      child = start({ password, port }, log);
      return child;
    };
    const supervised = supervise(child, restart, closing.signal, log);
    return {
      /** `redis://:password@127.0.0.1:port`, valid until it is closed. */
      url,
      /** Of the current process. If it ends, an empty one replaces it on the same port. */
      get pid(): number {
        // Without a pid the process could not be started, and a restart is due.
        return child.pid ?? 0;
      },
      /** As a crash would. */
      kill: (): void => void child.kill('SIGKILL'),
      async close(): Promise<void> {
        closing.abort();
        // SIGKILL, because there is nothing to save and a frozen process ignores SIGTERM.
        child.kill('SIGKILL');
        await supervised;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Replaces each process that ends, until `closing` is set. */
async function supervise(
  first: ChildProcess,
  again: () => ChildProcess,
  closing: AbortSignal,
  log: Log,
): Promise<void> {
  let failures = 0;
  for (let child = first; ; child = again()) {
    const began = performance.now();
    const [code, signal] = await ended(child);
    if (closing.aborted) return;
    log.error({ code, signal }, 'embedded Redis exited; restarting it');
    failures = performance.now() - began > stableAfter ? 0 : failures + 1;
    await delay(pause(failures), undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
  }
}

/** Resolves with exit code and signal, also if the child could not be started. */
function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve([exitCode, signalCode]);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
    if (child.pid === undefined) child.once('error', () => resolve([null, null]));
  });
}

/** Starts the child, and kills it unless it reports within 20 seconds that it listens. */
function start(order: Order, log: Log): ChildProcess {
  const child = fork(serverFile(), [], {
    // Passes on none of this process's secrets, debugger ports or loaders.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.stdout) forward(child.stdout, (facts, message) => log.debug(facts, message), 'embedded Redis');
  if (child.stderr) forward(child.stderr, (facts, message) => log.warn(facts, message), 'embedded Redis');
  child.on('error', (error) => log.error({ problem: error.message }, 'embedded Redis'));
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeout);
  for (const event of ['message', 'exit', 'error']) child.once(event, () => clearTimeout(timer));
  // Fails if the child has just died, which is handled elsewhere.
  child.send(order, () => undefined);
  return child;
}

const started = z.object({ port: z.number() });

/** The child's port; rejects if the child ends first. */
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

async function answers(url: string, log: Log, stopping: AbortSignal | undefined) {
  const handle = connectRedis(url, log);
  try {
    await unless(
      stopping,
      handle.ready().then(() => handle.redis.ping()),
    );
  } finally {
    await handle.close();
  }
}

/** What the work resolves to; rejects as soon as `stopping` comes, however long the work would take. */
async function unless<T>(stopping: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  stopping?.throwIfAborted();
  const done = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stopping?.addEventListener('abort', () => reject(stopping.reason), { signal: done.signal });
  });
  return await Promise.race([work, stopped]).finally(() => done.abort());
}

/** Node 20 does not run TypeScript, so the child always runs the compiled file. */
function serverFile(): string {
  const here = import.meta.url;
  const compiled = here.endsWith('.ts') ? '../../dist/src/redis/embedded-server.js' : '../redis/embedded-server.js';
  const file = fileURLToPath(new URL(compiled, here));
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  return file;
}
