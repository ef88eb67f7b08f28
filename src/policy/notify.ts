import { z } from 'zod';
import { nearestIs } from '../nearest.ts';
import type { News } from '../runs/news.ts';
import { onOff } from './following.ts';
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

const asked = 'on, off, or a list of on-call and names of roles in this file.';

/** Whether a denial that others could lift offers to ask them; or whom of them. */
export const askOthers = z.union([onOff, list(z.string(says(asked)), asked)], says(asked));

export type AskOthers = z.infer<typeof askOthers>;

/** Ids of users, and of roles with the prefix `&`, each once. `shifts`: those that stand for `on-call`, which without schedules is a role's name. */
export function recipientsOf(
  { notify: rules, ...policy }: { notify: Notify } & Named,
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

type Asking = Named & { askOthers: AskOthers };

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
