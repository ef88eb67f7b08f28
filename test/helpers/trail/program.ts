import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { folder } from '../bot-process.ts';
import { audit } from './process.ts';

const program = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
const policy = fileURLToPath(new URL('../../../policy.example.yaml', import.meta.url));

export interface Said {
  code: number;
  out: string[];
  error: string;
}

/** `npm run audit` in a process of its own. */
export async function run(args: readonly string[], env: Record<string, string>, cwd = folder()): Promise<Said> {
  const child = spawn(process.execPath, [program, 'audit', ...args], { cwd, env });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.error += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out: said.out.trimEnd().split('\n'), error: said.error };
}

/** What the bot would be started with. */
export const envOf = (
  discord: SandboxDiscord,
  dir: string,
  more: Record<string, string> = {},
): Record<string, string> => ({
  DISCORD_TOKEN: discord.token,
  DISCORD_GUILD_ID: discord.guildId,
  DISCORD_API_URL: discord.apiUrl,
  AUDIT_CHANNEL_ID: audit,
  PANEL_URL: 'http://127.0.0.1:9',
  PANEL_TOKEN: 'a-token-of-the-panel',
  POLICY_FILE: policy,
  DATA_DIR: dir,
  ...more,
});
