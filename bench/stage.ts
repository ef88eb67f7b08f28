import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareClient, type Closing, folder, helper, panelops, type Running, startBot } from './processes.ts';
import { channels, guild, lead, tokens } from './protocol.ts';

/** A fake Discord and a fake panel, with whatever bot is started between them. */
export interface Stage {
  discord: ChildProcess;
  panel: ChildProcess;
  /** The folder of its bots. */
  dir: string;
  env: Record<string, string>;
  bare(): Promise<Running>;
  panelops(more?: Record<string, string>): Promise<Running>;
}

const policyText = [
  'roles:',
  `  - { role: "${lead}", name: lead, allow: ["*"] }`,
  'restore-status: { path: "/servers/{serverId}/backupManager/jobs/{jobId}", status: /data/status, progress: /data/progress, running: [running], succeeded: [completed], failed: [failed] }',
  'inventory: { source: file, path: servers.csv }',
  '',
].join('\n');

const listOf = (servers: number): string =>
  [
    'id,name,tier,ips,group',
    ...Array.from({ length: servers }, (_, at) => `${at + 1},s-${at + 1},production,${addressOf(at)},1`),
    '',
  ].join('\n');

const addressOf = (at: number): string => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;

/** Starts both, with a policy of so many servers. */
export async function openStage(closing: Closing, { servers = 1_000 } = {}): Promise<Stage> {
  const discord = await helper('discord', closing);
  const panel = await helper('panel', closing);
  const dir = folder(closing);
  const policy = join(dir, 'policy.yaml');
  writeFileSync(policy, policyText, { mode: 0o600 });
  writeFileSync(join(dir, 'servers.csv'), listOf(servers), { mode: 0o600 });
  const env = {
    DISCORD_TOKEN: tokens.discord,
    DISCORD_GUILD_ID: guild,
    DISCORD_API_URL: discord.url,
    PANEL_URL: panel.url,
    PANEL_TOKEN: tokens.panel,
    POLICY_FILE: policy,
    LOG_LEVEL: 'warn',
  };
  let started = 0;
  return {
    ...{ discord: discord.child, panel: panel.child, dir, env },
    bare: () => startBot(bareClient, env, dir, closing),
    panelops(more = {}) {
      started += 1;
      const data = join(dir, `data-${started}`);
      mkdirSync(data, { mode: 0o700 });
      return startBot(panelops, { ...env, DATA_DIR: data, ...more }, dir, closing);
    },
  };
}

export const audited = { AUDIT_CHANNEL_ID: channels.audit };
