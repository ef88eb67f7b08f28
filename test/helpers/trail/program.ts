import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { runHere } from '../here.ts';
import { folder } from '../ledger/samples.ts';
import { examplePolicyFile } from '../stage.ts';
import { audit } from './process.ts';

export interface Said {
  code: number;
  out: string[];
  error: string;
}

/** `panelops audit`. */
export async function run(args: readonly string[], env: Record<string, string>, cwd = folder()): Promise<Said> {
  const { code, stdout, stderr } = await runHere(['audit', ...args], env, cwd);
  return { code, out: stdout.trimEnd().split('\n'), error: stderr };
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
  POLICY_FILE: examplePolicyFile,
  DATA_DIR: dir,
  ...more,
});
