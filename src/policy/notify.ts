import { z } from 'zod';
import { nearestIs } from '../nearest.ts';
import type { News } from '../runs/news.ts';
import { type Finding, list, row, says } from './shape.ts';
import { memberOf } from './targets.ts';

/** Who is pinged about each kind of news: `requester`, `on-call`, or a role by its name in the policy. */
export type Notify = Readonly<Record<News, readonly string[]>>;

const who = 'requester, nobody, or a list of requester, on-call and names of roles in this file.';

const recipients = z
  .union([z.enum(['requester', 'nobody']), list(z.string(says(who)), who)], says(who))
  .transform((value) => (value === 'nobody' ? [] : typeof value === 'string' ? [value] : value))
  .prefault('requester');

export const notify = row(
  {
    ...{ failed: recipients, unknown: recipients, restore: recipients, slow: recipients },
    ...{ answered: recipients, done: recipients },
  },
  'notify is a mapping of',
);

/** Ids of users, and of roles with the prefix `&`, each once. `shifts`: those that stand for `on-call`, which without schedules is a role's name. */
export function recipientsOf(
  { notify: rules, ...policy }: { notify: Notify } & Named,
  news: readonly News[],
  requester: string,
  shifts: readonly string[] = [],
): string[] {
  const names = news.flatMap((kind) => rules[kind]);
  return pinged(policy, names, shifts, requester);
}

interface Named {
  roles: readonly { role: string; name: string }[];
  onCall?: object;
}

/** Those of the names of a list, as above. */
export function pinged(
  { roles, onCall }: Named,
  names: readonly string[],
  shifts: readonly string[],
  requester?: string,
): string[] {
  const ids = names.flatMap((name) => {
    if (name === 'requester') return requester ?? [];
    if (name === 'on-call' && onCall !== undefined) return shifts;
    return roles.filter((each) => each.name === name).map(({ role }) => `&${role}`);
  });
  return [...new Set(ids)];
}

/** Who is pinged must be there to be pinged. Takes the raw YAML: lists of names, by their keys. */
export function aboutRecipients(lists: object, roles: readonly unknown[], isScheduled: boolean): Finding[] {
  const named = roles.map((row) => memberOf(row, 'name')).filter((name) => typeof name === 'string');
  const names = ['requester', ...(isScheduled ? ['on-call'] : []), ...named];
  return Object.entries(lists).flatMap(([kind, recipients]) =>
    (Array.isArray(recipients) ? recipients : []).flatMap((name, at) =>
      typeof name !== 'string' || names.includes(name)
        ? []
        : [{ path: [kind, at], rule: `No role of this file has this name.${nearestIs(name, names)}` }],
    ),
  );
}
