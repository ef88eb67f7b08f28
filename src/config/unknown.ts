import { nearestIs } from '../nearest.ts';
import type { ConfigProblem } from './problem.ts';
import { variables } from './variables.ts';

/** Variables that look like the bot's but are not: a typo must not silently disable a setting. */
export function unknownVariables(env: NodeJS.ProcessEnv): ConfigProblem[] {
  const known: string[] = variables.map(({ name }) => name);
  return Object.keys(env)
    .filter((name) => /^(PANELOPS|DISCORD|PANEL)_/.test(name) && !known.includes(name))
    .sort()
    .map((name) => ({
      what: /^\w{1,40}$/.test(name) ? name : `${name.slice(0, name.indexOf('_'))}_…`,
      rule: `There is no such variable.${nearestIs(name.replace(/^PANELOPS_/, ''), known)}`,
      where: 'Correct its name, or remove it. .env.example lists them all.',
    }));
}

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
