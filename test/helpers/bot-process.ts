import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import { until } from './messages.ts';
import { unmetered } from './pace.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { canaries } from './world.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A process of the bot, as `npm start` makes it. */
export interface BotProcess {
  pid: number;
  dir: string;
  /** What it logged so far. */
  logged(): string;
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal that killed it. */
  ended: Promise<number | string>;
  /** Sends SIGTERM; how it ended, and after how many ms. */
  stops(): Promise<{ how: number | string; ms: number }>;
}

export interface Surroundings {
  discord: SandboxDiscord;
  panel: SandboxPanel;
}

/** Discord and panel of the test, gone with it. */
export async function surroundings(panelOptions: Omit<PanelOptions, 'token'> = {}): Promise<Surroundings> {
  const discord = await startDiscord({ token: canaries.discord, limits: unmetered });
  const panel = await startPanel({ ...panelOptions, token: canaries.panel });
  onTestFinished(async () => {
    await discord.close();
    await panel.close();
  });
  return { discord, panel };
}

export async function ownRedisServer(): Promise<RedisServer> {
  const redis = await startRedisServer();
  onTestFinished(() => redis.stop());
  return redis;
}

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Starts a bot and waits until it is ready; it is killed with the test. */
export async function startBot(
  { discord, panel }: Surroundings,
  { dir = folder(), env = {}, args = [] }: { dir?: string; env?: Record<string, string>; args?: string[] } = {},
): Promise<BotProcess> {
  const child = spawn(process.execPath, [fileOf('dist/src/main.js'), '--quiet', ...args], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_GUILD_ID: discord.guildId,
      DISCORD_API_URL: discord.apiUrl,
      PANEL_URL: panel.url,
      PANEL_TOKEN: panel.token,
      POLICY_FILE: fileOf('policy.example.yaml'),
      DATA_DIR: dir,
      LOG_LEVEL: 'debug',
      ...env,
    },
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await ready(child, ended, () => log);
  return {
    // A child that said something has a pid.
    pid: child.pid ?? 0,
    dir,
    logged: () => log,
    kill: (signal) => void child.kill(signal),
    ended,
    async stops() {
      const from = performance.now();
      child.kill('SIGTERM');
      return { how: await ended, ms: performance.now() - from };
    },
  };
}

async function ready(child: ChildProcess, ended: Promise<unknown>, log: () => string): Promise<void> {
  if (child.stdout === null) throw new Error('the bot has no standard output');
  const lines = createInterface({ input: child.stdout });
  const early = ended.then((how) => {
    throw new Error(`the bot ended with ${how}: ${log()}`);
  });
  const first = await Promise.race([once(lines, 'line'), early]);
  if (!String(first).startsWith('ready ')) throw new Error(`the bot said ${first}`);
}

/** The process of the embedded Redis of a bot, once there is one. */
export const redisOf = (pid: number): Promise<number> =>
  until(
    () => Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && isRedisOf(pid, name)) ?? 0) || undefined,
    'the embedded Redis',
  );

function isRedisOf(pid: number, name: string): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // Behind the name, which may hold anything: state and parent are fields 3 and 4 of proc(5).
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || Number(parent) !== pid) return false;
    return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('embedded-server.js');
  } catch {
    return false;
  }
}
