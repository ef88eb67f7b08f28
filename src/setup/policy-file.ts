import { type Named, type PolicyDraft, plain, type RoleDraft } from './draft.ts';

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
