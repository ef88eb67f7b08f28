import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verify } from '../../../src/ledger/chain.ts';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';
import { startPanel } from '../../../src/sandbox/panel/index.ts';
import { folder, redisOf, type Surroundings } from '../bot-process.ts';
import type { RunLine } from '../ledger/reading.ts';
import { type QuickBot, startQuickBot } from '../quick-bot.ts';
import { runsIn } from '../stage.ts';
import { canaries } from '../world.ts';

/** The Discord and panel of a bot that is killed, and the folder for the next one. */
export interface Scene extends Surroundings {
  dir: string;
  ledger(): RunLine[];
  /** Whether the chain of the ledger is whole. */
  chain(): boolean;
}

/** Closed with the test. */
export async function openScene(restoreMs: number, now = Date.now): Promise<Scene> {
  const discord = await startDiscord({ token: canaries.discord, limits: { posts: false }, now });
  const panel = await startPanel({ token: canaries.panel, restoreMs, requestsPerMinute: 6_000 });
  const dir = folder();
  onTestFinished(async () => {
    await discord.close();
    await panel.close();
  });
  const lines = (): string[] => {
    const file = join(dir, 'ledger.jsonl');
    // While the bot lives, the last line may be half written.
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };
  return {
    discord,
    panel,
    dir,
    ledger: () => runsIn(lines()),
    chain: () => verify(lines()).ok,
  };
}

export type Victim = 'bot' | 'redis' | 'both';

/** Starts the compiled bot with quick looks. `ahead`: of its clock, in ms. */
export const startQuick = (scene: Scene, own: { redisUrl?: string; ahead?: number } = {}): Promise<QuickBot> =>
  startQuickBot(scene, {
    dataDir: scene.dir,
    ...own,
    intervals: {
      ...{ recover: 50, reconcile: 500, cards: { looks: 100 } },
      followUps: { first: 100, most: 300, retry: 100 },
      announcer: { every: 50, retry: 100 },
    },
  });

/** Kills these processes, and restarts those that do not come back by themselves. */
export async function strike(bot: QuickBot, victim: Victim, again: () => Promise<QuickBot>): Promise<QuickBot> {
  const redis = victim === 'bot' ? 0 : await redisOf(bot.pid);
  if (redis !== 0) process.kill(redis, 'SIGKILL');
  if (victim === 'redis') {
    await expect.poll(() => redisOf(bot.pid)).not.toBe(redis);
    return bot;
  }
  await bot.kill();
  return again();
}

/** Resolves once a condition holds that the bot's requests bring about. */
export function moment({ discord, panel }: Scene, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const stops = [discord.changed(look), panel.changed(look)];
  });
}

/** Resolves at the n-th request from now on, to Discord or to the panel. */
export function request(scene: Scene, n: number): Promise<void> {
  const count = (): number => scene.discord.requests.length + scene.panel.requests.length;
  const goal = count() + n;
  return moment(scene, () => count() >= goal);
}
