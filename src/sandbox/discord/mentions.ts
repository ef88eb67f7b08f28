import type { Guild, Person, Role } from './guild.ts';
import type { AllowedMentions } from './shapes.ts';

/** Ids that a text mentions after allowed_mentions. */
export interface Mentions {
  users: string[];
  roles: string[];
  everyone: boolean;
}

export const NOBODY: Mentions = { users: [], roles: [], everyone: false };

const CODE = /(?<!\\)(`+)[\s\S]*?[^`]\1(?!`)/g;

/** Splits a text into what Discord renders, and code, which it leaves unchanged. */
export function splitCode(content: string): { text: string; code: boolean }[] {
  const parts: { text: string; code: boolean }[] = [];
  let from = 0;
  for (const match of content.matchAll(CODE)) {
    parts.push({ text: content.slice(from, match.index), code: false }, { text: match[0], code: true });
    from = match.index + match[0].length;
  }
  parts.push({ text: content.slice(from), code: false });
  return parts.filter((part) => part.text !== '');
}

/**
 * Computes the mentions of a text as Discord does: without allowed_mentions all of them count; with it, only the
 * kinds in `parse` and the listed ids. Code and embeds never mention anybody. Without `mayMention`, the right Mention
 * Everyone, neither @everyone nor a role that is not mentionable counts, whatever is allowed.
 */
export function mentionsIn(
  guild: Guild,
  content: string,
  {
    allowed,
    repliedTo,
    mayMention,
  }: { allowed: AllowedMentions | null | undefined; repliedTo: Person | undefined; mayMention: boolean },
): Mentions {
  const isMentionable = (role: Role): boolean => role.mentionable || mayMention;
  const plain = splitCode(content)
    .filter((part) => !part.code)
    .map((part) => part.text)
    .join(' ');
  const allows = (kind: 'users' | 'roles', id: string) =>
    !allowed || allowed.parse?.includes(kind) || allowed[kind]?.includes(id);
  const everybody = [...guild.people, guild.bot];
  const users = new Set(
    [...plain.matchAll(/<@!?(\d+)>/g)]
      .map(([, id = '']) => id)
      .filter((id) => everybody.some((person) => person.id === id) && allows('users', id)),
  );
  const roles = new Set(
    [...plain.matchAll(/<@&(\d+)>/g)]
      .map(([, id = '']) => id)
      .filter((id) => guild.roles.some((role) => role.id === id && isMentionable(role)) && allows('roles', id)),
  );
  if (repliedTo && (allowed ? allowed.replied_user === true : true)) users.add(repliedTo.id);
  const everyone =
    mayMention && /@(everyone|here)\b/.test(plain) && (!allowed || allowed.parse?.includes('everyone') === true);
  return { users: [...users], roles: [...roles], everyone };
}

/** The names of the people these mentions notify. */
export function notified(guild: Guild, mentions: Mentions, author: Person): string[] {
  return guild.people
    .filter(
      (person) =>
        person !== author &&
        (mentions.everyone ||
          mentions.users.includes(person.id) ||
          person.roles.some((role) => mentions.roles.includes(role))),
    )
    .map((person) => person.name);
}
