import { z } from 'zod';
import type { BackupList, StatusSource } from '../follow-ups/status.ts';
import { isZone } from '../time.ts';
import { type AlertRules, alerts } from './alerts.ts';
import { backupList, followUps, onOff, restoreStatus } from './following.ts';
import { type AskOthers, askOthers, type Notify, notify } from './notify.ts';
import { onCall, type Schedule } from './on-call.ts';
import {
  count,
  label,
  merged,
  reach,
  type ServerRow,
  server,
  type TierRule,
  tierRule,
  type WrittenServer,
} from './server.ts';
import { type Several, several } from './several.ts';
import { list, row, says } from './shape.ts';
import { type ShellPerson, shell } from './shell.ts';
import { type InventorySource, inventory } from './source.ts';

/** A row of `roles`: what the holders of one Discord role may do. */
export interface Role {
  role: string;
  name: string;
  /** Dangers, command ids and globs of command ids, as written. */
  allow: readonly string[];
  /** What they may change during a freeze, too; as written. Missing: nothing. */
  'during-freeze'?: readonly string[];
  /** The schedule whose shift they must have at that moment. Missing: none. */
  'on-call'?: string;
  /** Whether they may go on with break-glass, and with what; as written. Missing: never. */
  'break-glass'?: true;
  'allow-in-emergency'?: readonly string[];
  /** Names, globs, ids and id ranges, as written. Missing: all servers. */
  servers?: readonly (string | number)[];
}

/** A row of `commands`: what it asks for beyond the default. */
export interface Stricter {
  match: readonly string[];
  confirm?: true;
  typed?: true;
  reason?: 'required';
  /** How many other people approve it after Confirm. */
  approvals?: number;
  /** Only on servers of these tiers, as written. Missing: on all. */
  tiers?: readonly string[];
}

/** The largest amount in one command, or per address family the shortest prefix of a network. */
export type Limit = number | Readonly<{ ipv4: number; ipv6: number }>;

/** policy.yaml, validated, with its guild. */
export interface Policy {
  guild: string;
  channels?: readonly string[];
  roles: readonly Role[];
  commands: readonly Stricter[];
  /** Those that people wrote: of the inventory's file, with the rows of the policy over them. */
  servers: readonly ServerRow[];
  inventory?: InventorySource;
  /** Which tier a server has that no row gives one: the first that matches. */
  tiers: readonly TierRule[];
  /** Whether globs of roles match the names of the panel's list: otherwise they match only names that people wrote. */
  inventoryRights: 'ids' | 'names';
  unlisted: 'nothing' | 'read' | 'all';
  limits: Readonly<Record<string, Limit>>;
  several: Several;
  /** Whether changes wait while the audit channel does not have what was recorded. */
  auditChannel: 'wanted' | 'required';
  /** Where to read the progress of a restore. Missing: the panel has no such endpoint. */
  restoreStatus?: StatusSource;
  /** Where the panel lists the backups of a server. Missing: it does not. */
  backupList?: BackupList;
  /** Whether power actions are followed in the panel's queue. */
  queueStatus: boolean;
  followUps: {
    /** When a follow-up gives up on a job that has not ended, in ms. */
    deadline: number;
  };
  /** Who is pinged about what: `requester` and names of roles. */
  notify: Notify;
  /** Whether a denial that others could lift offers to ask them; or whom of them, by `on-call` and names of roles. */
  askOthers: AskOthers;
  onCall?: readonly Schedule[];
  /** Whether the change of a shift posts the handover. Missing: no. */
  handoverAtShift?: true;
  /** Whether each of `channels` has a pinned message that says how much is open. */
  handoverPin: boolean;
  /** Who may use the shell of the bot's machine. Missing: there is none. */
  shell?: { people: readonly ShellPerson[] };
  /** Missing: alerts of other systems are not shown. */
  alerts?: AlertRules;
  /** The time zone in which people type times: an IANA name. */
  timezone: string;
  /** Names of rulesets and of VLAN entries, by their ids in the panel. */
  rulesets: Readonly<Record<string, string>>;
  vlans: Readonly<Record<string, string>>;
}

function snowflake(rule: string) {
  return z.string(says(rule)).regex(/^\d{17,19}$/, says(rule));
}

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

const role = row(
  {
    role: snowflake(roleId),
    name: z
      .string(says(roleName))
      .regex(label, says(roleName))
      .refine((name) => name.toLowerCase() !== 'everyone', says(roleName)),
    allow: list(z.string(says(allow)), allow),
    'during-freeze': list(z.string(says(duringFreeze)), duringFreeze).exactOptional(),
    'on-call': z.string(says(shift)).exactOptional(),
    'break-glass': z.literal(true, says(onlyGlass)).exactOptional(),
    'allow-in-emergency': list(z.string(says(inEmergency)), inEmergency).exactOptional(),
    servers: reach('Leave it out for all servers.').exactOptional(),
  },
  'A role is a mapping of',
);

const match = 'A list of commands: write, destructive, command ids, globs.';
const onlyTrue = 'Only true: a row is stricter than the default, never looser. To keep the default, leave the key out.';
const onlyRequired =
  'Only "required": a row is stricter than the default, never looser. To keep the default, leave the key out.';

const approvals = 'How many other people approve it, 1 or 2. To keep the default, which is nobody, leave the key out.';
const tiers = 'A list of tiers, each that of a server of this file. Leave it out for all servers.';

const stricter = row(
  {
    match: list(z.string(says(match)), match),
    confirm: z.literal(true, says(onlyTrue)).exactOptional(),
    typed: z.literal(true, says(onlyTrue)).exactOptional(),
    reason: z.literal('required', says(onlyRequired)).exactOptional(),
    approvals: z.int(says(approvals)).min(1, says(approvals)).max(2, says(approvals)).exactOptional(),
    tiers: list(z.string(says(tiers)), tiers).exactOptional(),
  },
  'A row of commands is a mapping of',
).refine((each) => each.confirm || each.typed || each.reason || each.approvals, {
  error: 'This row asks for nothing. Add confirm: true, typed: true, reason: required or approvals: 1, or remove it.',
});

const channels =
  'A list of channel ids, 17 to 19 digits each, in quotes. Leave it out to answer everywhere in the guild.';
const limitRule =
  'A whole number from 1, the largest amount in one command; for a network, the shortest prefix of both families, as in { ipv4: 24, ipv6: 48 }.';
function prefix(bits: number) {
  const rule = `The shortest prefix: a whole number from 1 to ${bits}.`;
  return z.int(says(rule)).min(1, says(rule)).max(bits, says(rule));
}
const prefixes = row({ ipv4: prefix(32), ipv6: prefix(128) }, 'The limit of a network is a mapping of');
const names =
  'A mapping from id to name, each name once: the ids of the panel, whole numbers from 1; names of 1 to 32 letters, digits, dots and dashes, and no number.';
const idNames = z
  .record(
    z.string().regex(/^[1-9]\d{0,14}$/),
    z.string(says(names)).regex(/^(?!\d+$)[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/, says(names)),
    says(names),
  )
  .refine(
    (all) => new Set(Object.values(all).map((name) => name.toLowerCase())).size === Object.keys(all).length,
    says(names),
  )
  .default({});
const timezone = 'The IANA name of a time zone, such as Europe/Berlin, or UTC.';
const rightsRule = 'One of: ids, names.';
const unlisted = 'One of: nothing, read, all.';
const auditChannel = 'One of: wanted, required.';

/** policy.yaml, as far as each value can be checked on its own. Rules between values are in rules.ts. */
export const policyFile = row(
  {
    channels: list(snowflake(channels), channels).exactOptional(),
    roles: list(role, 'A list with at least one role: without one nobody may do anything.'),
    commands: z.array(stricter, says('A list of rows, or left out.')).default([]),
    servers: z.array(server, says('A list of servers, or left out.')).default([]),
    inventory: inventory.exactOptional(),
    'inventory-rights': z.enum(['ids', 'names'], says(rightsRule)).default('ids'),
    tiers: z.array(tierRule, says('A list of rules, or left out.')).default([]),
    unlisted: z.enum(['nothing', 'read', 'all'], says(unlisted)).default('nothing'),
    limits: z
      .record(
        z.string(),
        z.union([count(limitRule), prefixes], says(limitRule)),
        says('A mapping from command id to its limit, or left out.'),
      )
      .default({}),
    several: several.prefault({}),
    'audit-channel': z.enum(['wanted', 'required'], says(auditChannel)).default('wanted'),
    'restore-status': restoreStatus.exactOptional(),
    'backup-list': backupList.exactOptional(),
    'queue-status': onOff.default(false),
    'follow-ups': followUps.prefault({}),
    notify: notify.prefault({}),
    'ask-others': askOthers.default(false),
    'on-call': onCall.exactOptional(),
    'handover-at-shift': onOff.default(false),
    'handover-pin': onOff.default(false),
    shell: shell.exactOptional(),
    alerts: alerts.exactOptional(),
    timezone: z.string(says(timezone)).refine(isZone, says(timezone)).default('UTC'),
    rulesets: idNames,
    vlans: idNames,
  },
  'The file is a mapping of',
);

/** Renames the file's keys to those of Policy. `written`: the servers of the inventory's file. */
export function policyOf(file: z.infer<typeof policyFile>, guild: string, written: readonly WrittenServer[]): Policy {
  const {
    'audit-channel': auditChannel,
    'restore-status': restore,
    'backup-list': backups,
    'queue-status': queue,
    'follow-ups': following,
    'ask-others': asking,
    'on-call': onCall,
    'handover-at-shift': atShift,
    'handover-pin': pin,
    'inventory-rights': inventoryRights,
    ...rest
  } = file;
  return {
    guild,
    ...rest,
    servers: written.length === 0 ? rest.servers : [...merged(written, rest.servers)],
    inventoryRights,
    auditChannel,
    restoreStatus: restore,
    ...(backups === undefined ? {} : { backupList: backups }),
    queueStatus: queue,
    followUps: following,
    askOthers: asking,
    ...(onCall === undefined ? {} : { onCall }),
    ...(atShift ? { handoverAtShift: true } : {}),
    handoverPin: pin,
  };
}
