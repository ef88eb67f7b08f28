import { policyFor } from '../../../src/app.ts';
import { examplePolicy, type World } from '../world.ts';

/** Puts another policy in force, as a reload does; gives the names of what changed. */
export function changePolicy({ app, discord }: Pick<World, 'app' | 'discord'>, text: string): string[] {
  const read = policyFor(text, discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return app.reconfigure({ policy: read.policy });
}

/** The example policy with pieces of it replaced, each of which must be there. */
export const exampleWith = (...pieces: readonly (readonly [from: string, to: string])[]): string =>
  pieces.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`not in the example: ${from}`);
    return before.replace(from, to);
  }, examplePolicy);

const rows = /\nservers:\n(?: {2}- .*\n)+/;

/** The example without its rows: all names come from the panel, but for web-1, and on-call may do more to web-* than to others. */
export const listedByPanel = (policy: string): string =>
  policy.replace(
    rows,
    `
servers:
  - { id: 101, name: web-1, tier: production }
inventory: { source: panel, preset: virtfusion }
tiers:
  - { group: 1, tier: production }
  - { group: 2, tier: internal }
  - { group: 3, tier: lab }
`,
  );
