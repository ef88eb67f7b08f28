import { z } from 'zod';
import type { News } from '../runs/news.ts';
import { list, row, says } from './shape.ts';

/** Who is pinged about each kind of news: `requester`, `on-call`, or a role by its name in the policy. */
export type Notify = Readonly<Record<News, readonly string[]>>;

const who = 'requester, nobody, or a list of requester, on-call and names of roles in this file.';

const recipients = z
  .union([z.enum(['requester', 'nobody']), list(z.string(says(who)), who)], says(who))
  .transform((value) => (value === 'nobody' ? [] : typeof value === 'string' ? [value] : value))
  .prefault('requester');

/** rules.ts checks that the roles exist. */
export const notify = row(
  {
    ...{ failed: recipients, unknown: recipients, restore: recipients, slow: recipients },
    ...{ answered: recipients, done: recipients },
  },
  'notify is a mapping of',
);

/** Ids of users, and of roles with the prefix `&`, each once. `shifts`: those that stand for `on-call`, which without schedules is a role's name. */
export function recipientsOf(
  {
    notify: rules,
    roles,
    onCall,
  }: { notify: Notify; roles: readonly { role: string; name: string }[]; onCall?: object },
  news: readonly News[],
  requester: string,
  shifts: readonly string[] = [],
): string[] {
  const names = news.flatMap((kind) => rules[kind]);
  const ids = names.flatMap((name) => {
    if (name === 'requester') return [requester];
    if (name === 'on-call' && onCall !== undefined) return shifts;
    return roles.filter((each) => each.name === name).map(({ role }) => `&${role}`);
  });
  return [...new Set(ids)];
}
