import type { VariableName } from './variables.ts';

/** If none of these is set, everything comes from the sandbox. .env.example and docs/sandbox.md list them. */
const realSettings = [
  'DISCORD_TOKEN',
  'DISCORD_TOKEN_FILE',
  'DISCORD_GUILD_ID',
  'DISCORD_API_URL',
  'AUDIT_CHANNEL_ID',
  'PANEL_URL',
  'PANEL_TOKEN',
  'PANEL_TOKEN_FILE',
  'POLICY_FILE',
  // There is one queue in a Redis: the sandbox would take the jobs of the real bot.
  'REDIS_URL',
  'REDIS_URL_FILE',
] as const satisfies readonly VariableName[];

/** The real settings in the environment. Empty ones count: somebody meant to set them. */
export const realSettingsIn = (env: NodeJS.ProcessEnv): VariableName[] =>
  realSettings.filter((name) => env[name] !== undefined);

/** Why not everything comes from the sandbox, with a leading space. */
export function setApart(env: NodeJS.ProcessEnv): string {
  const names = realSettingsIn(env);
  if (names.length === 0) return '';
  return ` ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} set, so not everything comes from the sandbox.`;
}
