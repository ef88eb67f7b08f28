import type { VariableName } from '../config/variables.ts';

/** Something in Discord, by id and name. The name is text from outside. */
export interface Named {
  id: string;
  name: string;
}

/** A row of `roles` in the policy, without the role's id. */
export interface RoleRow {
  name: string;
  allow: readonly string[];
  'break-glass'?: true;
  'allow-in-emergency'?: readonly string[];
  servers?: readonly (string | number)[];
}

/** What the holders of one Discord role may do. */
export interface RoleDraft {
  role: Named;
  row: RoleRow;
}

/** A row of `servers` in the policy. */
export interface ServerRow {
  id: number;
  name: string;
  tier?: string;
  ips?: readonly string[];
  group?: number;
}

export interface PolicyDraft {
  guild: Named;
  /** Missing if the bot answers everywhere in the guild. */
  channels?: readonly Named[];
  /** The roles, or the text of an existing policy's `roles`. */
  roles: readonly RoleDraft[] | string;
  /** The servers, or the text of an existing policy's `servers`. */
  servers: readonly ServerRow[] | string;
  unlisted: 'nothing' | 'read' | 'all';
  /** The other sections: those of the preset, and of the existing policy, as text. */
  kept: readonly string[];
}

/** The variables that setup writes into .env. */
export const asked = [
  'DISCORD_TOKEN',
  'DISCORD_GUILD_ID',
  'AUDIT_CHANNEL_ID',
  'PANEL_URL',
  'PANEL_TOKEN',
  'PANEL_CA_FILE',
] as const satisfies readonly VariableName[];

/** An undefined variable is not written to .env, or removed from it. */
export type Variables = Readonly<Record<(typeof asked)[number], string | undefined>>;

const longest = 60;

/** Text from outside on one line, for a terminal or a comment: nothing in it moves the cursor or begins a line. */
export function plain(text: string): string {
  const clean = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()];
  return clean.length > longest ? `${clean.slice(0, longest - 1).join('')}…` : clean.join('');
}

/** A role's name in the policy: its name in Discord, made valid, and different from all in `taken`. */
export function labelOf({ id, name }: Named, taken: readonly string[]): string {
  const label = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^[ ._-]+/, '')
    .slice(0, 32)
    .trim();
  if (label === '' || label.toLowerCase() === 'everyone') return `role-${id}`;
  return taken.includes(label) ? `${label.slice(0, 12).trim()}-${id}` : label;
}

/** A policy as setup writes it. */
export function policyText({ guild, channels, roles, servers, unlisted, kept }: PolicyDraft): string {
  const parts = [
    `# Who may do what in ${plain(guild.name)}. Nothing is allowed that is not written here.
# Written by panelops setup; edit it as you like: docs/policy.md has every key.`,
    channelPart(channels),
    rolePart(roles),
    ...serverPart(servers),
    `# What may be done to a server that is not listed under \`servers\`, by its id in
# the panel: nothing, read, or all that the roles allow.
unlisted: ${unlisted}`,
    ...kept.map((part) => part.trimEnd()),
  ];
  return `${parts.join('\n\n')}\n`;
}

function channelPart(channels: readonly Named[] | undefined): string {
  if (channels === undefined) return '# There is no list of `channels`: the bot answers everywhere in the guild.';
  const rows = channels.map(({ id, name }) => `  - "${id}" # ${plain(name)}`);
  return ['# The bot answers in these channels and their threads.', 'channels:', ...rows].join('\n');
}

const aboutRoles = `# What the holders of each Discord role may do. read: look. write: change what
# can be taken back. destructive: the rest, asked before each. audit: look into
# the ledger. "*": all of these; approve, freeze and the like are named by id.`;

function rolePart(roles: PolicyDraft['roles']): string {
  if (typeof roles === 'string') return roles.trimEnd();
  return [aboutRoles, 'roles:', ...roles.map(rowText)].join('\n');
}

function rowText({ role: { id, name }, row }: RoleDraft): string {
  const comment = plain(name) === row.name ? '' : ` # ${plain(name)}`;
  return [
    `  - role: "${id}"${comment}`,
    `name: ${scalar(row.name)}`,
    `allow: ${listText(row.allow)}`,
    ...(row['break-glass'] === undefined ? [] : ['break-glass: true']),
    ...(row['allow-in-emergency'] === undefined ? [] : [`allow-in-emergency: ${listText(row['allow-in-emergency'])}`]),
    ...(row.servers === undefined ? [] : [`servers: ${listText(row.servers)}`]),
  ].join('\n    ');
}

function serverPart(servers: PolicyDraft['servers']): string[] {
  if (typeof servers === 'string') return [servers.trimEnd()];
  if (servers.length === 0) return [];
  const rows = servers.map(({ id, name, tier, ips, group }) => {
    const more = [
      ...(tier === undefined ? [] : [`tier: ${scalar(tier)}`]),
      ...(ips === undefined ? [] : [`ips: ${listText(ips)}`]),
      ...(group === undefined ? [] : [`group: ${group}`]),
    ];
    return `  - { ${[`id: ${id}`, `name: ${scalar(name)}`, ...more].join(', ')} }`;
  });
  return [['# Servers by name. docs/policy.md lists their other keys.', 'servers:', ...rows].join('\n')];
}

const listText = (list: readonly (string | number)[]): string =>
  `[${list.map((each) => (typeof each === 'number' ? String(each) : scalar(each))).join(', ')}]`;

/** A YAML scalar, quoted as in JSON unless YAML reads the bare text as this text. */
const scalar = (text: string): string =>
  /^(?:[a-z][a-z0-9.-]*|\d+-\d+)$/i.test(text) && !/^(?:true|false|yes|no|on|off|y|n|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
