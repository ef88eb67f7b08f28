import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import { until } from './messages.ts';
import { unmetered } from './pace.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { examplePolicyFile, run } from './stage.ts';
import { canaries } from './world.ts';

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
  const own = {
    DISCORD_TOKEN: discord.token,
    DISCORD_GUILD_ID: discord.guildId,
    DISCORD_API_URL: discord.apiUrl,
    PANEL_URL: panel.url,
    PANEL_TOKEN: panel.token,
    POLICY_FILE: examplePolicyFile,
    DATA_DIR: dir,
    LOG_LEVEL: 'debug',
  };
  const { pid, child, exit, end, ready, stderr } = run({ ...own, ...env }, { cwd: dir, args: ['--quiet', ...args] });
  onTestFinished(async () => void (await end('SIGKILL')));
  await ready();
  // Either says how a process ended.
  const ended = exit.then(({ code, signal }) => signal ?? code ?? 0);
  return {
    pid,
    dir,
    logged: stderr,
    kill: (signal) => void child.kill(signal),
    ended,
    async stops() {
      const from = performance.now();
      child.kill('SIGTERM');
      return { how: await ended, ms: performance.now() - from };
    },
  };
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
