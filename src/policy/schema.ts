import { z } from 'zod';
import { isZone } from '../time.ts';
import { alerts } from './alerts.ts';
import { backupList, followUps, restoreStatus } from './following.ts';
import { askOthers, notify } from './notify.ts';
import { onCall } from './on-call.ts';
import { merged, reach, server, tierRule, type WrittenServer } from './server.ts';
import { label, list, onOff, row, says, snowflake, text, texts, whole } from './shape.ts';
import { inventory } from './source.ts';

const roleId = "The role's id: 17 to 19 digits, in quotes (without quotes YAML rounds it).";
const roleName =
  'A name for people: 1 to 32 letters, digits, spaces, dots, dashes and underscores, beginning with a letter or digit; not "everyone".';
const allow = 'A list of what the role may run: dangers, command ids, globs.';
const duringFreeze =
  'A list of what the role may change during a freeze, too: write, destructive, command ids, globs. Left out: nothing.';
const onlyGlass = 'Only true: the role may use break-glass. Left out, it may not.';
const shift = 'The name of a schedule of `on-call`: the row is only for those who have its shift. Left out: for all.';
const inEmergency =
  'A list of what the role may change with break-glass: write, destructive, command ids, globs. Left out: nothing.';

/** What the holders of one Discord role may do: dangers, command ids, globs, names and ids, as written. */
const role = row(
  {
    role: snowflake(roleId),
    name: text(roleName, label).refine((name) => name.toLowerCase() !== 'everyone', says(roleName)),
    allow: texts(allow),
    'during-freeze': texts(duringFreeze).exactOptional(),
    /** The schedule whose shift they must have at that moment. Missing: none. */
    'on-call': z.string(says(shift)).exactOptional(),
    'break-glass': z.literal(true, says(onlyGlass)).exactOptional(),
    'allow-in-emergency': texts(inEmergency).exactOptional(),
    /** Missing: all servers. */
    servers: reach('Leave it out for all servers.').exactOptional(),
  },
  'A role is a mapping of',
);

export type Role = z.output<typeof role>;

const match = 'A list of commands: write, destructive, command ids, globs.';
const onlyTrue = 'Only true: a row is stricter than the default, never looser. To keep the default, leave the key out.';
const onlyRequired =
  'Only "required": a row is stricter than the default, never looser. To keep the default, leave the key out.';

const approvals = 'How many other people approve it, 1 or 2. To keep the default, which is nobody, leave the key out.';
const tiers = 'A list of tiers, each that of a server of this file. Leave it out for all servers.';

/** What commands ask for beyond the default. */
const stricter = row(
  {
    match: texts(match),
    confirm: z.literal(true, says(onlyTrue)).exactOptional(),
    typed: z.literal(true, says(onlyTrue)).exactOptional(),
    reason: z.literal('required', says(onlyRequired)).exactOptional(),
    /** How many other people approve it after Confirm. */
    approvals: whole(approvals, 2).exactOptional(),
    /** Only on servers of these tiers. Missing: on all. */
    tiers: texts(tiers).exactOptional(),
  },
  'A row of commands is a mapping of',
).refine((each) => each.confirm || each.typed || each.reason || each.approvals, {
  error: 'This row asks for nothing. Add confirm: true, typed: true, reason: required or approvals: 1, or remove it.',
});

export type Stricter = z.output<typeof stricter>;

const limitRule =
  'A whole number from 1, the largest amount in one command; for a network, the shortest prefix of both families, as in { ipv4: 24, ipv6: 48 }.';
const prefix = (bits: number) => whole(`The shortest prefix: a whole number from 1 to ${bits}.`, bits);
const prefixes = row({ ipv4: prefix(32), ipv6: prefix(128) }, 'The limit of a network is a mapping of');
const limit = z.union([whole(limitRule), prefixes], says(limitRule));

/** The largest amount in one command, or per address family the shortest prefix of a network. */
export type Limit = z.output<typeof limit>;

/** On a card of this many servers there is still a line for each; and the person's looks of a minute are enough. */
const largest = 20;
const most = `The most servers of one command: a whole number from 1 to ${largest}.`;
const also = 'A list of commands that take one server and may take several: command ids, globs.';

/** How many servers one command may be about, and which commands, of those that take one, take several. */
const several = row(
  { most: whole(most, largest).default(10), also: texts(also).default([]) },
  'several is a mapping of',
);

const account =
  "The name of an account of the bot's machine, or its uid as a number. Root cannot be a person: give each their own.";
const discord = "The person's Discord id: 17 to 19 digits, in quotes (without quotes YAML rounds it).";
const shellRoles =
  'A list of names of roles in this file. Left out: the person can do nothing while Discord does not answer.';
const people = 'A list of people: nobody else may use the shell.';

/** An account of the bot's machine, and the one Discord user that it is. */
const person = row(
  {
    /** The account's name, or its uid. */
    account: z.union([text(account, /^(?!root$)[A-Za-z_][A-Za-z0-9_.@-]{0,63}$/), whole(account)], says(account)),
    discord: snowflake(discord),
    /** Names of roles: they narrow what Discord says, and hold where it says nothing. */
    roles: texts(shellRoles).exactOptional(),
  },
  'A person of the shell is a mapping of',
);

export type ShellPerson = z.output<typeof person>;

const shell = row({ people: list(person, people) }, 'shell is a mapping of');

const channels =
  'A list of channel ids, 17 to 19 digits each, in quotes. Leave it out to answer everywhere in the guild.';
const names =
  'A mapping from id to name, each name once: the ids of the panel, whole numbers from 1; names of 1 to 32 letters, digits, dots and dashes, and no number.';
const idNames = z
  .record(z.string().regex(/^[1-9]\d{0,14}$/), text(names, /^(?!\d+$)[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/), says(names))
  .refine(
    (all) => new Set(Object.values(all).map((name) => name.toLowerCase())).size === Object.keys(all).length,
    says(names),
  )
  .default({});
const timezone = 'The IANA name of a time zone, such as Europe/Berlin, or UTC.';
const rights = 'One of: ids, names.';
const unlisted = 'One of: nothing, read, all.';
const auditChannel = 'One of: wanted, required.';
const limits = 'A mapping from command id to its limit, or left out.';

/** policy.yaml, as far as each value can be checked on its own. Rules between values are in rules.ts. */
export const policyFile = row(
  {
    channels: list(snowflake(channels), channels).exactOptional(),
    roles: list(role, 'A list with at least one role: without one nobody may do anything.'),
    commands: z.array(stricter, says('A list of rows, or left out.')).default([]),
    /** Those that people wrote: of the inventory's file, with the rows of the policy over them. */
    servers: z.array(server, says('A list of servers, or left out.')).default([]),
    inventory: inventory.exactOptional(),
    /** Whether globs of roles match the names of the panel's list: otherwise they match only names that people wrote. */
    'inventory-rights': z.enum(['ids', 'names'], says(rights)).default('ids'),
    /** Which tier a server has that no row gives one: the first that matches. */
    tiers: z.array(tierRule, says('A list of rules, or left out.')).default([]),
    unlisted: z.enum(['nothing', 'read', 'all'], says(unlisted)).default('nothing'),
    limits: z.record(z.string(), limit, says(limits)).default({}),
    several: several.prefault({}),
    /** Whether changes wait while the audit channel does not have what was recorded. */
    'audit-channel': z.enum(['wanted', 'required'], says(auditChannel)).default('wanted'),
    /** Where to read the progress of a restore. Missing: the panel has no such endpoint. */
    'restore-status': restoreStatus.exactOptional(),
    'backup-list': backupList.exactOptional(),
    /** Whether power actions are followed in the panel's queue. */
    'queue-status': onOff.default(false),
    'follow-ups': followUps.prefault({}),
    notify: notify.prefault({}),
    'ask-others': askOthers.default(false),
    'on-call': onCall.exactOptional(),
    /** Whether the change of a shift posts the handover. Missing where it is off, as in what older versions recorded. */
    'handover-at-shift': onOff.transform((isOn) => isOn || undefined).exactOptional(),
    /** Whether each of `channels` has a pinned message that says how much is open. */
    'handover-pin': onOff.default(false),
    /** Who may use the shell of the bot's machine. Missing: there is none. */
    shell: shell.exactOptional(),
    /** Missing: alerts of other systems are not shown. */
    alerts: alerts.exactOptional(),
    /** In which people type times. */
    timezone: z.string(says(timezone)).refine(isZone, says(timezone)).default('UTC'),
    /** Names of rulesets and of VLAN entries, by their ids in the panel. */
    rulesets: idNames,
    vlans: idNames,
  },
  'The file is a mapping of',
);

type PolicyFile = z.output<typeof policyFile>;
type CamelCase<Key extends string> = Key extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Key;

/** policy.yaml, validated, with its guild: 'audit-channel' is auditChannel. */
export type Policy = { guild: string } & { [Key in keyof PolicyFile as CamelCase<Key>]: PolicyFile[Key] };

/** `written`: the servers of the inventory's file. */
export function policyOf(file: PolicyFile, guild: string, written: readonly WrittenServer[]): Policy {
  const servers = written.length === 0 ? file.servers : [...merged(written, file.servers)];
  const named = Object.entries({ ...file, servers }).map(([key, value]) => [
    key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // The keys become what CamelCase says of them, which entries cannot express.
  return { guild, ...Object.fromEntries(named) } as Policy;
}
