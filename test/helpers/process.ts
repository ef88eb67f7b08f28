import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** A program in a process of its own. */
export interface Running {
  child: ChildProcess;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Waits until it has written this, and gives it; rejects when the process ends before, with what it wrote. */
  says(words: string | RegExp): Promise<string>;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** The exit code, or the signal that killed it. */
  ended: Promise<number | string>;
  /** Sends the signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** `uid`: as which account; only root can choose. */
export interface Where {
  cwd?: string;
  env?: Record<string, string>;
  uid?: number | undefined;
}

/** Starts a program; what it writes is kept. Whoever starts it ends it. */
export function running([program = '', ...args]: readonly string[], { uid, ...where }: Where = {}): Running {
  const child = spawn(program, args, { ...where, uid, gid: uid });
  const said = { stdout: '', stderr: '' };
  const news = new EventEmitter();
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
      news.emit('news');
    });
  // "close" comes when everything that was written has been read as well.
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const ended = exit.then(({ code, signal }) => signal ?? code ?? 0);
  let how: number | string | undefined;
  void ended.then((code) => {
    how = code;
    news.emit('news');
  });
  return {
    child,
    // A process that could not be started ends with "error", and everything that waits for it fails.
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    exit,
    ended,
    end(signal) {
      child.kill(signal);
      return exit;
    },
    // Without vitest: the soak starts programs, too.
    says: (words) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`not yet: ${words}: ${said.stdout}${said.stderr}`)), 45_000);
        const look = (): void => {
          const text = said.stdout + said.stderr;
          const found = typeof words === 'string' ? (text.includes(words) ? words : undefined) : words.exec(text)?.[0];
          if (found === undefined && how === undefined) return;
          clearTimeout(late);
          news.off('news', look);
          if (found === undefined) reject(new Error(`it ended with ${how}: ${text}`));
          else resolve(found);
        };
        news.on('news', look);
        look();
      }),
  };
}

/** The processes that a process started, from proc(5). */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);

/** Undefined when there is no such process, or nothing of it but its entry. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold anything.
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
