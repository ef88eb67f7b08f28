import { isTypoOf, nearestIs } from '../text.ts';
import { type ConfigProblem, isEncoded } from './value.ts';
import { type VariableName, variables } from './variables.ts';

const known: readonly string[] = variables.map(({ name }) => name);

/** Variables that look like the bot's but are not: a typo must not silently disable a setting. */
export function unknownVariables(env: NodeJS.ProcessEnv): ConfigProblem[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !/^[a-z]+_proxy$/i.test(name) && isMeant(name))
    .sort()
    .map((name) => ({
      what: /^[\w-]{1,40}$/.test(name) ? name : `${/^[A-Za-z]*/.exec(name)?.[0]}_…`,
      rule: `There is no such variable.${nearestIs(name.toUpperCase().replace(/^PANELOPS_/, ''), known)}`,
      where: 'Correct its name, or remove it. .env.example lists them all.',
    }));
}

/** Everything with one of the bot's first words; a known name that is cut or continued; and whatever may be a slip of it. */
const isMeant = (name: string): boolean =>
  /^(?:PANELOPS|DISCORD|PANEL)_/i.test(name) ||
  known.some(
    (each) =>
      name.startsWith(`${each}_`) ||
      (name.includes('_') && each.startsWith(`${name}_`)) ||
      isSlip(squeezed(name), squeezed(each)),
  );

/** MY_DATA_DIR belongs to somebody else. */
const isSlip = (name: string, meant: string): boolean =>
  Math.abs(name.length - meant.length) < 2 && isTypoOf(name, meant, meant.length < 10 ? 1 : 2);

const squeezed = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, '');

/** Node's switch that disables certificate checks: anyone on the network path could then steal the panel's token. */
export const unsafeVariables = (env: NodeJS.ProcessEnv): ConfigProblem[] =>
  env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [
        {
          what: 'NODE_TLS_REJECT_UNAUTHORIZED',
          rule: 'It must not be 0: certificates would not be checked, and the tokens would go to whoever answers.',
          where: 'Remove it. For a certificate of your own, name its authority in PANEL_CA_FILE.',
        },
      ]
    : [];

function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== '' && isEncoded(username) && isEncoded(password);
}

/** The proxies that cannot be used: ignored, they would let requests go past what the network wants. */
export function proxyProblems(env: NodeJS.ProcessEnv, sides: readonly { kind: 'real' | 'sandbox' }[]): ConfigProblem[] {
  if (sides.every(({ kind }) => kind === 'sandbox')) return [];
  return Object.keys(env)
    .filter((name) => /^(?:https?|all)_proxy$/i.test(name) && env[name] !== '' && !isUsable(env[name] ?? ''))
    .map((what) => ({
      what,
      rule: 'It must be the URL of an HTTP proxy that opens tunnels. It looks like http://proxy.example.com:3128. In its user name and password, write each % as %25.',
      where: 'Ask the operator of the network, or remove it. NO_PROXY names hosts that need no proxy.',
    }));
}

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
