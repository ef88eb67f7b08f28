/** What a role may do, as setup offers it. `allow` goes into the policy. */
export interface Level {
  label: string;
  hint: string;
  allow: readonly string[];
}

export const levels: readonly Level[] = [
  { label: 'Viewer', hint: 'reads and changes nothing', allow: ['read'] },
  { label: 'On-call', hint: 'reads, and changes that can be taken back', allow: ['read', 'write'] },
  {
    label: 'On-call, destructive too',
    hint: 'power off, flush, restore; the bot asks before each',
    allow: ['read', 'write', 'destructive'],
  },
  { label: 'Lead', hint: 'everything, with looking into the ledger', allow: ['*'] },
];

/** The level with this `allow`, in any order. */
export const levelOf = (allow: readonly string[]): Level | undefined =>
  levels.find((level) => level.allow.length === allow.length && level.allow.every((each) => allow.includes(each)));

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The level named like the role, singular or plural: pressing Enter gives a role no more than its name says. */
export const levelNamed = (role: string): Level | undefined =>
  levels.find(({ label }) => [bare(label), `${bare(label)}s`].includes(bare(role)));
