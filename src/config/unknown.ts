import { isTypoOf, nearestIs } from '../nearest.ts';
import { isProxyVariable } from './proxies.ts';
import type { ConfigProblem } from './value.ts';
import { variables } from './variables.ts';

const known: readonly string[] = variables.map(({ name }) => name);

/** Variables that look like the bot's but are not: a typo must not silently disable a setting. */
export function unknownVariables(env: NodeJS.ProcessEnv): ConfigProblem[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !isProxyVariable(name) && isMeant(name))
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
