import { onTestFinished } from 'vitest';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { folder } from '../bot-process.ts';
import { entriesIn } from '../ledger/reading.ts';
import { type QuickBot, startQuickBot } from '../quick-bot.ts';
import { canaries } from '../world.ts';
import { ownDiscord } from './process.ts';

export interface Scene {
  discord: SandboxDiscord;
  panel: SandboxPanel;
  dir: string;
  /** Discord's clock goes on by that many ms, so that it has forgotten every nonce. */
  forget(ms: number): void;
  /** How many entries the file ledger has. */
  head(): number;
  start(options?: { redisUrl?: string; ledger?: 'redis' }): Promise<QuickBot>;
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
      startQuickBot(
        { discord, panel },
        {
          dataDir: dir,
          audit: discord.channels.audit,
          intervals: { recover: 50, trail: { between: 20, retry: 100, look: 100 } },
          ...options,
        },
      ),
  };
}
