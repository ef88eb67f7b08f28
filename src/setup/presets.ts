import { parse } from 'yaml';
import type { Policy } from '../policy/schema.ts';
import type { RoleRow } from './draft.ts';

/** What a role may do. `row` goes into the policy. */
export interface Level {
  label: string;
  hint: string;
  row: Omit<RoleRow, 'name' | 'servers'>;
}

/** A team's way of working: what its roles may do, and the other sections of its policy, as text. */
export interface Preset {
  /** Its name, and one sentence. */
  label: string;
  levels: readonly Level[];
  sections: Readonly<Record<string, string>>;
  /** It needs the audit channel. */
  isAudited?: true;
}

/** Rows as they stand in a policy. */
const rowOf = (text: string): Level['row'] => parse(text);
const viewer: Level = { label: 'Viewer', hint: 'looks, and changes nothing', row: rowOf('allow: [read]') };
const lead: Level = {
  label: 'Lead',
  hint: 'everything: approves, freezes, reads the ledger',
  row: rowOf('allow: ["*", approve, freeze, thaw, hold, release, panel.refresh]'),
};

const typed = `# The bot always asks before what is destructive. A restore also needs a reason,
# and the server's name typed.
commands:
  - { match: [ipv4.assign], confirm: true }
  - { match: [backup.restore], typed: true, reason: required }`;
const limits = `# The most that one command may do, so that a slip of a digit costs little.
limits: { ipv4.assign: 8, whitelist.add: { ipv4: 24, ipv6: 48 } }`;
const several = `# How many servers one command may name. A firewall flush may name several, too.
several: { most: 10, also: [firewall.flush] }`;
const wanted = `# While the audit channel is closed to the bot, gone or behind: changes go on
# and say so (wanted), or wait (required).
audit-channel: wanted`;
const askOthers = `# A denial has a button that asks the people who may, such as "Ask a lead".
ask-others: on`;

export const presets: readonly Preset[] = [
  {
    label: 'Small team: everybody does everything; the bot asks and records.',
    levels: [{ ...lead, label: 'Team', hint: 'everything' }, viewer],
    sections: { commands: typed, limits, several, 'audit-channel': wanted },
  },
  {
    label: 'On call with leads: leads do what cannot be undone.',
    levels: [
      viewer,
      {
        label: 'On-call',
        hint: 'changes, power; in an emergency restores, too',
        row: rowOf(`allow: [read, write, "power.*", audit.history, hold, release]
break-glass: true
allow-in-emergency: [backup.restore]`),
      },
      lead,
    ],
    sections: { commands: typed, limits, several, 'audit-channel': wanted, 'ask-others': askOthers },
  },
  {
    label: 'Strict: two persons for whatever is destructive.',
    levels: [
      viewer,
      {
        label: 'On-call',
        hint: 'changes; what is destructive, once a lead approves',
        row: rowOf(`allow: [read, write, destructive, audit.history, hold, release]
break-glass: true
allow-in-emergency: ["power.*", backup.restore]`),
      },
      lead,
    ],
    sections: {
      commands: `# Nothing destructive without a reason, and without somebody else who approves.
commands:
  - { match: [destructive], reason: required, approvals: 1 }
  - { match: [ipv4.assign], confirm: true }
  - { match: [backup.restore], typed: true }`,
      limits,
      several,
      'audit-channel': wanted.replace(/wanted$/, 'required'),
      'ask-others': askOthers,
    },
    isAudited: true,
  },
];

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The level named like the role, singular or plural: pressing Enter gives a role no more than its name says. */
export const levelNamed = (levels: readonly Level[], role: string): number =>
  levels.findIndex(({ label }) => [bare(label), `${bare(label)}s`].includes(bare(role)));

/** What the bot does with this policy, what it does not, and how to turn that on: a line each. */
export function features(policy: Policy, audit: string | undefined): { on: string[]; off: string[] } {
  const { roles } = policy;
  const all: [what: string, isOn: boolean, how: string][] = [
    ['a trail of everything that happens', audit !== undefined, 'AUDIT_CHANNEL_ID in .env'],
    [
      'freezes and holds',
      roles.some(({ allow }) => allow.some((each) => /^(?:freeze|hold)$/.test(each))),
      'freeze, thaw, hold, release in `allow`',
    ],
    ['asking a lead after a denial', policy.askOthers !== false, 'ask-others: on'],
    [
      'break-glass, reviewed afterwards',
      roles.some((role) => role['break-glass'] === true),
      'break-glass and allow-in-emergency at a role',
    ],
    ['a second person', policy.commands.some(({ approvals }) => approvals !== undefined), 'approvals: 1 in `commands`'],
    ['seeing how a restore ends', policy.restoreStatus !== undefined, 'restore-status'],
    ['the dates of backups in a restore', policy.backupList !== undefined, 'backup-list'],
    ['seeing how power actions end', policy.queueStatus, 'queue-status: on'],
    ['a pinned list of what is open', policy.handoverPin, 'handover-pin: on'],
  ];
  return {
    on: all.flatMap(([what, isOn]) => (isOn ? [what] : [])),
    off: all.flatMap(([what, isOn, how]) => (isOn ? [] : [`${what}: ${how}`])),
  };
}
