import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { runHere } from '../here.ts';
import { folder } from '../ledger/samples.ts';
import { environmentFor } from '../stage.ts';
import { audit } from './process.ts';

interface Said {
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
  ...environmentFor({ discord, panel: { url: 'http://127.0.0.1:9', token: 'a-token-of-the-panel' } }, dir),
  AUDIT_CHANNEL_ID: audit,
  ...more,
});
