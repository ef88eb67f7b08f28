import { readFile } from 'node:fs/promises';
import type { Actor } from '../outcome.ts';
import type { ShellPerson } from '../policy/schema.ts';

/** The uid that stands for everybody whom a user namespace or a file system does not know. */
const nobody = 65_534;

/** Why an account is nobody's own. */
export function sharedAccount(uid: number, own: number | undefined): string | undefined {
  if (uid === 0) return 'You are root, and root can be anybody. Use your own account, without sudo.';
  if (uid === own) return "You are the bot's own user, and can be anybody. Use your own account, without sudo.";
  if (uid === nobody)
    return 'The bot does not see which account you have: it runs in a user namespace (PrivateUsers of systemd, or a container).';
  return undefined;
}

/** The names of an account, from passwd(5). */
export const namesOf = (uid: number, passwd: string): string[] =>
  passwd.split('\n').flatMap((line) => {
    const [name = '', , id] = line.split(':');
    return id === String(uid) ? [name] : [];
  });

/** What is known of who is there. */
export interface Account {
  uid: number;
  names: readonly string[];
  /** Who says that they used sudo: nobody has checked that. */
  sudo?: string | undefined;
}

export async function accountOf(uid: number, sudo: string | undefined): Promise<Account> {
  const names = namesOf(uid, await readFile('/etc/passwd', 'utf8').catch(() => ''));
  return { uid, names, ...(sudo !== undefined && /^[A-Za-z_][\w.@-]{0,31}$/.test(sudo) ? { sudo } : {}) };
}

export const rowOf = (people: readonly ShellPerson[], { uid, names }: Account): ShellPerson | undefined =>
  people.find(({ account }) => account === uid || names.some((name) => name === account));

const nameOf = ({ uid, names: [name = `uid ${uid}`], sudo }: Account): string =>
  sudo === undefined ? name : `${name} (sudo by ${sudo})`;

/** Nobody whom the policy knows. */
export const strangerOf = (account: Account): Actor => ({
  id: `account ${account.uid}`,
  name: nameOf(account),
  roles: [],
});

export interface RoleSource {
  /** The roles that Discord says they have. Rejects where it says nothing. */
  rolesOf(person: string): Promise<readonly string[]>;
  /** The ids of a role of the policy. */
  roleIds(name: string): readonly string[];
}

/** The roles that the policy names for a person: with several accounts, those that each has. Undefined: none of them has any. */
export function namedRoles(
  people: readonly ShellPerson[],
  person: string,
  roleIds: RoleSource['roleIds'],
): readonly string[] | undefined {
  const [first, ...others] = people.filter(({ discord }) => discord === person).map(({ roles = [] }) => roles);
  const held = first?.filter((role) => others.every((each) => each.includes(role))) ?? [];
  return held.length === 0 ? undefined : held.flatMap(roleIds);
}

/** The person with the roles of now: those that Discord says, of which the policy may name some; or else those it names. */
export async function actorOf(
  account: Account,
  { discord, roles }: ShellPerson,
  { rolesOf, roleIds }: RoleSource,
): Promise<Actor> {
  const named = roles?.flatMap(roleIds);
  const said = await rolesOf(discord).catch(() => undefined);
  const held = said === undefined ? (named ?? []) : said.filter((role) => named?.includes(role) ?? true);
  return { id: discord, name: nameOf(account), roles: held };
}
