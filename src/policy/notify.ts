import { z } from 'zod';
import type { News } from '../runs/news.ts';
import { onOff, row, says, texts } from './shape.ts';

const who = 'requester, nobody, or a list of requester, on-call and names of roles in this file.';

const recipients = z
  .union([z.enum(['requester', 'nobody']), texts(who)], says(who))
  .transform((value) => (value === 'nobody' ? [] : typeof value === 'string' ? [value] : value))
  .prefault('requester');

/** Who is pinged about each kind of news: `requester`, `on-call`, or a role by its name in the policy. */
export const notify = row(
  {
    ...{ failed: recipients, unknown: recipients, restore: recipients, slow: recipients },
    ...{ answered: recipients, done: recipients },
  } satisfies Record<News, unknown>,
  'notify is a mapping of',
);

const asked = 'on, off, or a list of on-call and names of roles in this file.';

/** Whether a denial that others could lift offers to ask them; or whom of them. */
export const askOthers = z.union([onOff, texts(asked)], says(asked));

/** Ids of users, and of roles with the prefix `&`, each once. `shifts`: those that stand for `on-call`, which without schedules is a role's name. */
export function recipientsOf(
  { notify: rules, ...policy }: { notify: z.output<typeof notify> } & Named,
  news: readonly News[],
  requester: string,
  shifts: () => readonly string[] = () => [],
): string[] {
  const names = news.flatMap((kind) => rules[kind]);
  return pinged(policy, names, shifts, requester);
}

interface Named {
  roles: readonly { role: string; name: string }[];
  onCall?: readonly { role: string }[];
}

/** Those of the names of a list, as above. */
export function pinged(
  { roles, onCall }: Named,
  names: readonly string[],
  shifts: () => readonly string[],
  requester?: string,
): string[] {
  const ids = names.flatMap((name) => {
    if (name === 'requester') return requester ?? [];
    if (name === 'on-call' && onCall !== undefined) return shifts();
    return roles.filter((each) => each.name === name).map(({ role }) => `&${role}`);
  });
  return [...new Set(ids)];
}

type Asking = Named & { askOthers: z.output<typeof askOthers> };

/** What `ask-others` lists of the roles that may, by their ids: `on-call` where the role of a schedule may. */
function listedOf({ askOthers: of, roles, onCall }: Asking, may: readonly string[]): string[] {
  if (typeof of === 'boolean') return [];
  const names = roles.filter(({ role }) => may.includes(role)).map(({ name }) => name);
  return of.filter((name) =>
    name === 'on-call' && onCall !== undefined ? onCall.some(({ role }) => names.includes(role)) : names.includes(name),
  );
}

/** The names of those whom a request asks, of the roles that may: all, where the policy lists none of them. */
export function namesToAsk(policy: Asking, may: readonly string[]): readonly string[] {
  if (policy.askOthers === false) return [];
  const listed = listedOf(policy, may);
  return listed.length > 0 ? listed : may.flatMap((id) => policy.roles.find(({ role }) => role === id)?.name ?? []);
}

/** Whom a request pings, of the roles that may: all of them, where otherwise only whoever asks would be pinged. */
export function pingsToAsk(
  policy: Asking,
  may: readonly string[],
  requester: string,
  onCall: () => readonly string[],
): readonly string[] {
  const listed = pinged(policy, listedOf(policy, may), onCall).filter((id) => id !== requester);
  return listed.length > 0 ? listed : may.map((id) => `&${id}`);
}
