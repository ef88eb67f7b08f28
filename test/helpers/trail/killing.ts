import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { folder } from '../bot-process.ts';
import { canaries, entriesIn, examplePolicy, unlimited } from '../world.ts';
import { ownDiscord } from './studio.ts';

export interface Scene {
  discord: SandboxDiscord;
  panel: SandboxPanel;
  dir: string;
  /** Discord's clock goes on by that many ms, so that it has forgotten every nonce. */
  forget(ms: number): void;
  /** How many entries the file ledger has. */
  head(): number;
  start(options?: { redisUrl?: string; ledger?: 'redis' }): Promise<Victim>;
}

interface Victim {
  pid: number;
  said(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Discord, panel and the folder of a bot that is killed; all gone with the test. */
export async function openScene(): Promise<Scene> {
  let ahead = 0;
  const discord = await ownDiscord({ token: canaries.discord, now: () => Date.now() + ahead });
  const panel = await startPanel({ token: canaries.panel, requestsPerMinute: 6_000 });
  onTestFinished(() => panel.close());
  const dir = folder();
  return {
    discord,
    panel,
    dir,
    forget(ms) {
      ahead += ms;
    },
    head: () => entriesIn(dir).length,
    start: (options = {}) =>
      startVictim({
        discord: { token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, register: true },
        panel: { url: panel.url, token: panel.token },
        dataDir: dir,
        audit: discord.channels.audit,
        policyText: examplePolicy,
        limits: unlimited,
        trail: { between: 20, again: 100, look: 100 },
        ...options,
      }),
  };
}

async function startVictim(options: object): Promise<Victim> {
  const program = fileURLToPath(new URL('bot.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const ended = once(child, 'exit');
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill());
  const early = ended.then(([code]) => Promise.reject(new Error(`the bot ended with ${code}: ${said}`)));
  await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => undefined);
  // A process that said something has a pid.
  return { pid: child.pid ?? 0, said: () => said, kill };
}
