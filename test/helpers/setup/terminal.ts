import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { describe, onTestFinished } from 'vitest';
import { until } from '../messages.ts';
import { childrenOf } from '../process.ts';
import { program } from '../stage.ts';

const keys = { enter: '\r', backspace: '\u007f', down: '\u001b[B', space: ' ', tab: '\t', 'ctrl-c': '\u0003' } as const;

/** Somebody at a terminal, in front of the built program. Whatever is waited for has to come after what was seen last. */
export interface Person {
  /** All that the terminal showed, with every sign that moves the cursor. */
  shown(): string;
  sees(text: string | RegExp): Promise<string>;
  /** Waits for the question, and types an answer. '' answers the one that stands there. */
  answers(question: string, text: string): Promise<void>;
  /** Waits for the question, and goes to the choice that begins with this; left out: takes the one it stands on. */
  chooses(question: string, label?: string): Promise<void>;
  presses(...names: (keyof typeof keys)[]): void;
  /** Sends the program a signal. */
  gets(signal: NodeJS.Signals): void;
  exit: Promise<number>;
}

/** script of util-linux makes a pseudo-terminal. */
export const hasScript = (): boolean =>
  /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** A `describe` that is left out where there is none. */
export function describeAtTerminal(title: string, body: () => void): void {
  describe.skipIf(!hasScript())(`${title} (needs script)`, body);
}

/** Runs the program in a pseudo-terminal of 200 columns, as that account; it is killed with the test. */
export function atTerminal(args: string, env: Record<string, string>, cwd: string, uid?: number): Person {
  const line = `stty cols 200 rows 50; exec '${process.execPath}' '${program}' ${args}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd,
    uid,
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh', ...env },
  });
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const exit = once(child, 'close').then(([code]) => Number(code));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const rest = (): string => stripVTControlCharacters(shown).slice(seen);
  const type = (text: string): void => void child.stdin.write(text);

  async function sees(text: string | RegExp): Promise<string> {
    const form = typeof text === 'string' ? new RegExp(literal(text)) : text;
    const found = await until(() => form.exec(rest()) ?? undefined, `${form} in:\n${rest()}`).catch(() => {
      throw new Error(`the terminal does not show ${form}, but:\n${rest()}`);
    });
    seen += found.index + found[0].length;
    return found[0];
  }

  return {
    shown: () => shown,
    sees,
    gets: (signal) => childrenOf(child.pid ?? 0).forEach((pid) => void process.kill(pid, signal)),
    exit,
    presses: (...names) => type(names.map((name) => keys[name]).join('')),
    async answers(question, text) {
      if (question !== '') await sees(asks(question));
      type(`${text}${keys.enter}`);
    },
    async chooses(question, label) {
      await sees(asks(question));
      await until(() => rest().includes('navigate'), 'the choices');
      for (let count = 0; label !== undefined && !standsOn(rest()).startsWith(label); count += 1) {
        if (count > 20) throw new Error(`there is no choice ${label} in:\n${rest()}`);
        const before = rest().length;
        type(keys.down);
        await until(() => rest().slice(before).includes('●'), 'the next choice');
      }
      type(keys.enter);
    },
  };
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The question while it takes keys: once answered it is drawn again, with another sign before it. */
const asks = (question: string): RegExp => new RegExp(`[◆▲] +[^\n◇]*${literal(question)}`);

/** The choice with the mark, as it was drawn last. */
const standsOn = (text: string): string => [...text.matchAll(/● (.*)/g)].at(-1)?.[1] ?? '';
