import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DiscordOptions, type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { type PanelOptions, type SandboxPanel, startPanel } from '../../src/sandbox/panel/index.ts';
import { unmetered } from './pace.ts';

/** Secrets that must not be found in anything that is written. The first part of a bot's token is its application's id in base64. */
export const canaries = {
  discord: 'MTUwMDAwMDAwMDAwMDAwMDAwMQ.CANARY.discord-canary-4f1d9c7be2',
  panel: 'panel-canary-8a3e61d05c',
};

/** Fails when a secret is in one of these texts. */
export function expectNoSecrets(written: readonly string[]): void {
  const leaked = Object.entries(canaries).filter(([, secret]) => written.some((text) => text.includes(secret)));
  if (leaked.length > 0) throw new Error(`secrets were written: ${leaked.map(([name]) => name).join(', ')}`);
}

/** All files below a folder, without those that go while they are listed. */
export const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);

export interface Surroundings {
  discord: SandboxDiscord;
  panel: SandboxPanel;
}

/** The sandbox's Discord and panel, for a bot that is told of them. */
export async function openSurroundings(
  options: {
    discord?: Omit<DiscordOptions, 'token'> | undefined;
    panel?: Omit<PanelOptions, 'token'> | undefined;
  } = {},
): Promise<Surroundings & { close(): Promise<void> }> {
  const discord = await startDiscord({ limits: unmetered, ...options.discord, token: canaries.discord });
  const panel = await startPanel({ ...options.panel, token: canaries.panel });
  return {
    ...{ discord, panel },
    async close() {
      await discord.close();
      await panel.close();
    },
  };
}

/** The same, gone with the test. */
export async function surroundings(
  panel?: Omit<PanelOptions, 'token'>,
  discord?: Omit<DiscordOptions, 'token'>,
): Promise<Surroundings> {
  const { close, ...both } = await openSurroundings({ discord, panel });
  onTestFinished(close);
  return both;
}
