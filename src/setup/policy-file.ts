import type { Named, PolicyDraft, RoleDraft, RoleRow } from './draft.ts';
import { plain } from './names.ts';

/** The text of policy.yaml. */
export function policyText({ guild, channels, roles, servers, unlisted, kept }: PolicyDraft): string {
  const parts = [
    `# Who may do what in ${plain(guild.name)}. Nothing is allowed that is not written here.
# Written by panelops setup; edit it as you like. docs/policy.md explains every key.`,
    channelPart(channels),
    rolePart(roles),
    ...serverPart(servers),
    `# What may be done to a server that is not listed under \`servers\`, by its id in the panel:
# nothing, read, or all that the roles allow.
unlisted: ${unlisted}`,
    ...kept.map((part) => part.trimEnd()),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The audit section of a new policy. */
export const auditPart = `# While the audit channel is closed to the bot, gone or behind: changes go on and say so (wanted), or wait (required).
audit-channel: wanted`;

function channelPart(channels: readonly Named[] | undefined): string {
  if (channels === undefined) return '# There is no list of `channels`: the bot answers everywhere in the guild.';
  const rows = channels.map(({ id, name }) => `  - "${id}" # ${plain(name)}`);
  return ['# The bot answers in these channels and their threads.', 'channels:', ...rows].join('\n');
}

const aboutRoles = `# What the holders of each Discord role may do. read: look. write: change what can be taken back. destructive:
# the rest; the bot asks before each. audit: look into the ledger. "*": everything.`;

function rolePart(roles: readonly RoleDraft[]): string {
  const rows = roles.flatMap(({ role, rows }) => rows.map((row) => rowText(role, row)));
  return [aboutRoles, 'roles:', ...rows].join('\n');
}

function rowText({ id, name }: Named, row: RoleRow): string {
  const where = row.servers === undefined ? '' : `, servers: ${listText(row.servers)}`;
  const frozen = row['during-freeze'] === undefined ? '' : `, during-freeze: ${listText(row['during-freeze'])}`;
  const comment = plain(name) === row.name ? '' : ` # ${plain(name)}`;
  return `  - { role: "${id}", name: ${scalar(row.name)}, allow: ${listText(row.allow)}${frozen}${where} }${comment}`;
}

function serverPart(servers: PolicyDraft['servers']): string[] {
  if (typeof servers === 'string') return [servers.trimEnd()];
  if (servers.length === 0) return [];
  const rows = servers.map(({ id, name }) => `  - { id: ${id}, name: ${scalar(name)} }`);
  return [['# Servers by name. docs/policy.md says what else can be said of one.', 'servers:', ...rows].join('\n')];
}

const listText = (list: readonly (string | number)[]): string =>
  `[${list.map((each) => (typeof each === 'number' ? String(each) : scalar(each))).join(', ')}]`;

/** A YAML scalar, quoted as in JSON unless YAML reads the bare text as this text. */
const scalar = (text: string): string =>
  /^(?:[a-z][a-z0-9.-]*|\d+-\d+)$/i.test(text) && !/^(?:true|false|yes|no|on|off|y|n|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
