import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { CardFile } from '../card.ts';
import type { Log } from '../outcome.ts';
import { type Chart, described } from './chart.ts';

/** Draws a chart; undefined if that fails. Never rejects. */
export type Paint = (chart: Chart) => Promise<CardFile | undefined>;

export interface Painter {
  paint: Paint;
  close(): void;
}

interface PainterOptions {
  program: string;
  /** How long a picture may take, and how long the process stays without one, in ms. */
  patience: number;
  idle: number;
  /** Milliseconds that never go back. */
  now(): number;
}

/** Node 20 runs no TypeScript, so the process always runs the compiled file. */
const compiled = import.meta.url.endsWith('.ts')
  ? '../../dist/src/chart/canvas-process.js'
  : '../chart/canvas-process.js';

const usual: PainterOptions = {
  program: fileURLToPath(new URL(compiled, import.meta.url)),
  patience: 15_000,
  idle: 60_000,
  now: () => performance.now(),
};

/** More at once than that go without a picture. */
const mostWaiting = 8;

/** How long nothing is drawn after so many failures in a row, in ms: a minute, two, four, and at most an hour. */
const pauseAfter = (failures: number): number => Math.min(3_600_000, 60_000 * 2 ** (failures - 1));

const drawn = z.union([z.object({ bytes: z.instanceof(Uint8Array) }), z.object({ problem: z.string() })]);

/** What finds the native canvas on platforms with folders of their own. No secret is passed on. */
const inherited = ['LD_LIBRARY_PATH', 'NAPI_RS_NATIVE_LIBRARY_PATH'] as const;

/**
 * Draws in a process of its own, because native code can crash: that costs the picture and not the bot. The process starts
 * with the first chart, and ends when there is nothing to draw for a while. After a failure nothing is drawn for a while.
 */
export function createPainter(log: Log, options: Partial<PainterOptions> = {}): Painter {
  const { program, patience, idle, now } = { ...usual, ...options };
  const inTurn = pLimit(1);
  let child: ChildProcess | undefined;
  let resting: NodeJS.Timeout | undefined;
  let failures = 0;
  let resumeAt = 0;

  function end(): void {
    clearTimeout(resting);
    child?.kill('SIGKILL');
    child = undefined;
  }

  function start(): ChildProcess {
    const started = fork(program, [], {
      env: Object.fromEntries(inherited.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function attempt(chart: Chart, asked: number): Promise<Uint8Array | undefined> {
    if (now() < resumeAt || now() - asked > patience) return undefined;
    clearTimeout(resting);
    try {
      child ??= start();
      const bytes = await drawnBy(child, chart, patience);
      failures = 0;
      resting = setTimeout(end, idle).unref();
      return bytes;
    } catch (error) {
      end();
      failures += 1;
      resumeAt = Math.max(resumeAt, now() + pauseAfter(failures));
      const problem = error instanceof Error ? error.message : String(error);
      log.warn({ problem, pauseSeconds: pauseAfter(failures) / 1000 }, 'cannot draw: cards go without pictures');
      return undefined;
    }
  }

  return {
    async paint(chart) {
      if (inTurn.pendingCount >= mostWaiting) return undefined;
      const bytes = await inTurn(attempt, chart, now());
      return bytes && { name: chart.file, type: 'image/png', bytes, description: described(chart) };
    },
    close() {
      resumeAt = Number.POSITIVE_INFINITY;
      end();
    },
  };
}

/** Sends a chart and resolves with its picture. Rejects if the process refuses it, ends, or takes too long. */
async function drawnBy(child: ChildProcess, chart: Chart, patience: number): Promise<Uint8Array> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    child.send(chart);
    const [message] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code, killed]) => {
        throw new Error(`the process that draws ended with ${killed ?? code}`);
      }),
      delay(patience, undefined, { signal }).then(() => {
        throw new Error(`no picture within ${patience / 1000} seconds`);
      }),
    ]);
    const answer = drawn.safeParse(message).data ?? { problem: 'the process that draws sent no picture' };
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.bytes;
  } finally {
    ended.abort();
  }
}
