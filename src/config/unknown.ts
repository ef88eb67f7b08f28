import type { ConfigProblem } from './problem.ts';
import { variables } from './variables.ts';

/** Variables that look like ours and are not: one wrong letter must not mean that a value silently counts for nothing. */
export function unknownVariables(env: NodeJS.ProcessEnv): ConfigProblem[] {
  const known: string[] = variables.map(({ name }) => name);
  return Object.keys(env)
    .filter((name) => /^(PANELOPS|DISCORD|PANEL)_/.test(name) && !known.includes(name))
    .sort()
    .map((name) => ({
      what: /^\w{1,40}$/.test(name) ? name : `${name.slice(0, name.indexOf('_'))}_…`,
      rule: `There is no such variable. The nearest is ${nearest(name.replace(/^PANELOPS_/, ''), known)}.`,
      where: 'Correct its name, or remove it. .env.example lists them all.',
    }));
}

/** Node's own switch that trusts everybody: whoever is on the way to the panel could then take its token. */
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

/** Arguments that the program does not know. They are counted and not repeated: one may hold a secret. */
export function unknownArguments(args: readonly string[], known: readonly string[]): ConfigProblem[] {
  return args.flatMap((argument, at) => {
    if (known.includes(argument)) return [];
    return [{ what: `argument ${at + 1}`, rule: 'There is no such argument.', where: `Known: ${known.join(', ')}.` }];
  });
}

function nearest(name: string, known: readonly string[]): string {
  const [first] = known.map((each) => ({ each, steps: distance(name, each) })).sort((a, b) => a.steps - b.steps);
  return first?.each ?? '';
}

/** How many letters must be added, removed or changed to get from one to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
