import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AppOptions, policyFor } from '../../src/app.ts';
import type { Surroundings } from './bot-process.ts';
import { unlimited } from './pace.ts';
import { examplePolicy } from './world.ts';

/** A process of the bot with short waits. */
export interface QuickBot {
  pid: number;
  /** What it logged so far. */
  said(): string;
  /** Sends a signal, and waits for nothing. */
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL when left out; waits for the end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Its exit code, or the signal that killed it. */
  ended: Promise<number | string>;
}

type Options = Pick<AppOptions, 'dataDir' | 'intervals'> &
  Partial<Pick<AppOptions, 'audit' | 'redisUrl' | 'ledger'>> & {
    /** Of its clock, in ms. */
    ahead?: number;
    /** Not waited for until it serves, because another one leads. */
    standsBy?: true;
  };

/** Starts the built bot with these intervals, and waits until it serves; it is killed with the test. */
export async function startQuickBot(
  { discord, panel }: Surroundings,
  { standsBy, ...options }: Options,
): Promise<QuickBot> {
  const read = policyFor(examplePolicy, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const all = {
    discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
    panel: { url: panel.url, token: panel.token },
    policy: read.policy,
    limits: unlimited,
    ...options,
  };
  const program = fileURLToPath(new URL('quick-bot.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(all)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill());
  const early = ended.then((code) => Promise.reject(new Error(`the bot ended with ${code}: ${said}`)));
  await Promise.race([once(standsBy ? child.stderr : child.stdout, 'data'), early]);
  early.catch(() => undefined);
  // A process that said something has a pid.
  return { pid: child.pid ?? 0, said: () => said, signal: (signal) => void child.kill(signal), kill, ended };
}
