import { nearestIs } from '../nearest.ts';
import { dangers } from '../outcome.ts';
import { aboutAlerts } from './alerts.ts';
import { acknowledgement, approval, isChange, type Subject } from './decide.ts';
import { aboutServers, firstPlaces } from './listed.ts';
import { aboutRecipients } from './notify.ts';
import { isDanger, namesCommand } from './pattern.ts';
import type { WrittenServer } from './server.ts';
import type { Finding, Problem } from './shape.ts';
import { aboutPeople } from './shell.ts';
import { aboutTarget, memberOf, targetsIn } from './targets.ts';

/** What the policy is checked against. `limited`: the commands that can be limited, and by what, by id. `several`: those that take several servers where `several` says so. */
export interface Known {
  commands: readonly Subject[];
  limited: Readonly<Record<string, 'amount' | 'prefix'>>;
  several: readonly string[];
  guild: string;
  /** Reads the inventory's file; left out: nobody knows what is in it. */
  inventoryOf?: (path: string) => { servers: WrittenServer[] } | { problems: Problem[] };
}

type Mapping = Record<string, unknown>;

/**
 * Rules that relate parts of the file to each other, to the commands or to the guild. Works on the raw YAML, so that
 * these errors are reported together with invalid values; leaves values of the wrong type to the schema. `listed`: what
 * the inventory has; without its servers, it may be anything.
 */
export function brokenRules(
  file: unknown,
  known: Known,
  { servers: listed }: { servers?: readonly WrittenServer[] },
): Finding[] {
  const {
    channels,
    roles,
    commands,
    servers,
    tiers,
    unlisted,
    limits,
    several,
    'restore-status': status,
    notify,
    'ask-others': askOthers,
    'on-call': onCall,
    shell,
    alerts,
  } = mapping(file);
  const rows = items(servers);
  const all = [...rows, ...(listed ?? [])];
  const targets = listed && targetsIn(all, unlisted !== 'read' && unlisted !== 'all');
  return [
    ...aboutExample({ roles, channels }, known.guild),
    ...items(roles).flatMap((each, at) => {
      const row = mapping(each);
      return under(
        ['roles', at],
        [
          ...aboutEveryone(row, known.guild),
          ...eachOf('allow', row['allow'], (entry) => aboutAllowed(entry, known)),
          ...eachOf('during-freeze', row['during-freeze'], (entry) => aboutMatch(entry, known)),
          ...eachOf('allow-in-emergency', row['allow-in-emergency'], (entry) => aboutMatch(entry, known)),
          ...aboutShift(row['on-call'], items(onCall).map(mapping)),
          ...aboutGlass(row, items(roles).map(mapping)),
          ...eachOf('servers', row['servers'], (entry) => targets && aboutTarget(entry, targets)),
        ],
      );
    }),
    ...aboutRoleNames(items(roles).map(mapping)),
    ...items(commands).flatMap((each, at) =>
      under(
        ['commands', at],
        [
          ...eachOf('match', mapping(each)['match'], (entry) => aboutMatch(entry, known)),
          ...aboutApprovals(mapping(each), items(roles).map(mapping)),
          ...eachOf('tiers', mapping(each)['tiers'], (entry) => aboutTier(entry, [...all, ...items(tiers)])),
        ],
      ),
    ),
    ...under(['alerts'], aboutAlerts(mapping(alerts), items(channels), targets, known.commands.filter(isChange))),
    ...under(['alerts'], aboutRecipients({ ping: mapping(alerts)['ping'] }, items(roles), onCall !== undefined)),
    ...aboutServers(rows, listed),
    ...Object.entries(mapping(limits)).flatMap(([id, value]) => under(['limits', id], aboutLimit(id, value, known))),
    ...under(
      ['several'],
      eachOf('also', mapping(several)['also'], (entry) => aboutAlso(entry, known)),
    ),
    ...under(['restore-status'], aboutWords(mapping(status))),
    ...under(['on-call'], aboutSchedules(items(onCall).map(mapping), items(roles).map(mapping))),
    ...aboutHandover(mapping(file)),
    ...aboutRecipients({ 'ask-others': askOthers }, items(roles), onCall !== undefined),
    ...under(['notify'], aboutRecipients(mapping(notify), items(roles), onCall !== undefined)),
    ...under(['shell'], aboutPeople(items(mapping(shell)['people']), items(roles))),
  ];
}

function mapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function under(path: readonly PropertyKey[], findings: Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
}

function eachOf(key: string, list: unknown, about: (entry: unknown) => string | undefined): Finding[] {
  return items(list).flatMap((entry, at) => {
    const rule = about(entry);
    return rule === undefined ? [] : [{ path: [key, at], rule }];
  });
}

function aboutEveryone(row: Mapping, guild: string): Finding[] {
  if (row['role'] !== guild) return [];
  return [{ path: ['role'], rule: "This is the guild's id, which means @everyone. @everyone cannot be a role here." }];
}

/** The sandbox's guild: policy.example.yaml has the ids of its roles and channels. */
export const exampleGuild = '1100000000000000001';
const exampleId = /^1[23]0{15}\d{2}$/;

/** One problem, at the first such id: somebody copied the example, and has not edited it yet. */
function aboutExample({ roles, channels }: Mapping, guild: string): Finding[] {
  if (guild === exampleGuild) return [];
  const ids = [
    ...items(channels).map((id, at) => ({ id, path: ['channels', at] })),
    ...items(roles).map((each, at) => ({ id: mapping(each)['role'], path: ['roles', at, 'role'] })),
  ];
  const first = ids.find(({ id }) => typeof id === 'string' && exampleId.test(id));
  return first === undefined ? [] : [{ path: first.path, rule: stillExample }];
}

const stillExample =
  'This id is that of policy.example.yaml, and your guild does not have it. Put in your own channels, roles and servers; to copy an id in Discord, turn on Settings, Advanced, Developer Mode.';

/** A Discord role may have several rows; a name must not mean two Discord roles. */
function aboutRoleNames(rows: Mapping[]): Finding[] {
  const firsts = firstPlaces(rows.map(({ name }) => name));
  return rows.flatMap(({ role, name }, at) => {
    const first = firsts.get(name) ?? at;
    if (typeof name !== 'string' || first === at || rows[first]?.['role'] === role) return [];
    return [
      { path: ['roles', at, 'name'], rule: `roles[${first}] has this name with another role id. Choose another.` },
    ];
  });
}

function aboutAllowed(entry: unknown, known: Known): string | undefined {
  if (typeof entry !== 'string' || isDanger(entry)) return undefined;
  const subjects = [...known.commands, approval, acknowledgement];
  if (subjects.some((command) => namesCommand(entry, command))) return undefined;
  return `No command has this id or matches this glob, and it is not a danger level${suggestion(entry, dangers, subjects)}`;
}

function aboutMatch(entry: unknown, { commands }: Known): string | undefined {
  if (typeof entry !== 'string') return undefined;
  const meant = commands.filter((command) => namesCommand(entry, command));
  if (meant.some(isChange)) return undefined;
  if (meant.length > 0 || isDanger(entry))
    return 'It changes nothing in the panel: only write and destructive commands that do belong here.';
  return `No command has this id or fits this glob${suggestion(entry, ['write', 'destructive'], commands.filter(isChange))}`;
}

function aboutAlso(entry: unknown, { commands, several }: Known): string | undefined {
  if (typeof entry !== 'string') return undefined;
  const meant = commands.filter((command) => namesCommand(entry, command));
  if (!isDanger(entry) && meant.some(({ id }) => several.includes(id))) return undefined;
  const wrong =
    isDanger(entry) || meant.length > 0
      ? 'This does not name a command that takes one server and may take several.'
      : `No command has this id or fits this glob${isHarmless(entry) ? `: "${entry}".${nearestIs(entry.toLowerCase(), several)}` : '.'}`;
  return `${wrong} There is: ${several.join(', ')}.`;
}

/** A value may be a secret, in the wrong file: an error repeats only what looks like a mistyped name. */
const isHarmless = (word: string): boolean =>
  /^(?=.{1,32}$)[*?]*(?:[A-Z]?[a-z]{1,15}[46]?)?(?:[.*?-]+[a-z]{1,15}[46]?)*[.*?-]*$/.test(word);

/** Ends the sentence with the word, names the nearest that would do, and lists what there is. */
function suggestion(entry: string, words: readonly string[], commands: readonly Subject[]): string {
  const ids = commands.map(({ id }) => id);
  const groups = [...new Set(ids.map((id) => id.split('.')[0] ?? id))];
  // Who wrote no glob did not want to give a whole group.
  const globs = /[*?]/.test(entry) ? groups.map((group) => `${group}.*`) : [];
  const said = isHarmless(entry) ? `: "${entry}".` : '.';
  const near = ids.filter((id) => id.split('.')[0] === entry.split('.')[0]?.toLowerCase());
  const others =
    near.length > 0
      ? `There is: ${near.join(', ')}.`
      : `Dangers: ${words.join(', ')}. Ids begin with: ${groups.join(', ')}.`;
  return `${said}${nearestIs(entry.toLowerCase(), [...words, ...ids, ...globs])} ${others}`;
}

function aboutLimit(id: string, value: unknown, { limited, commands }: Known): Finding[] {
  const by = Object.hasOwn(limited, id) ? limited[id] : undefined;
  if (by === undefined) {
    const isCommand = commands.some((command) => command.id === id);
    const wrong = isCommand ? 'This command has neither an amount nor a network.' : 'No command has this id.';
    return [{ path: [], rule: `${wrong} Limits are for: ${Object.keys(limited).join(', ')}.` }];
  }
  if (by === 'amount' && typeof value === 'object')
    return [{ path: [], rule: 'This command has an amount: its limit is a whole number, the largest.' }];
  if (by === 'prefix' && typeof value === 'number')
    return [
      {
        path: [],
        rule: 'This command has a network: its limit is the shortest prefix of both families, as in { ipv4: 24, ipv6: 48 }.',
      },
    ];
  return [];
}

function aboutHandover({ 'on-call': onCall, 'handover-at-shift': atShift }: Mapping): Finding[] {
  if (onCall !== undefined || (atShift !== 'on' && atShift !== true)) return [];
  return [{ path: ['handover-at-shift'], rule: 'No shift would change: there is no schedule under `on-call`.' }];
}

function aboutShift(wanted: unknown, schedules: Mapping[]): Finding[] {
  const names = schedules.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (typeof wanted !== 'string' || names.includes(wanted)) return [];
  return [{ path: ['on-call'], rule: `No schedule under \`on-call\` has this name.${nearestIs(wanted, names)}` }];
}

/** Each schedule has its own name, and a role that is there to be pinged. */
function aboutSchedules(schedules: Mapping[], rows: Mapping[]): Finding[] {
  const roles = rows.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const firsts = firstPlaces(schedules.map(({ name }) => name));
  return schedules.flatMap(({ name, role }, at) => [
    ...(typeof role !== 'string' || roles.includes(role)
      ? []
      : [{ path: [at, 'role'], rule: `No role of this file has this name.${nearestIs(role, roles)}` }]),
    ...(name === undefined || firsts.get(name) === at
      ? []
      : [
          {
            path: [at, 'name'],
            rule: `on-call[${firsts.get(name)}] has this name already. Each schedule has its own.`,
          },
        ]),
  ]);
}

const isApproved = (roles: Mapping[]): boolean =>
  roles.some(({ allow }) => items(allow).some((entry) => typeof entry === 'string' && namesCommand(entry, approval)));

/** Each of the two keys does nothing without the other, and each review is closed by somebody who may approve. */
function aboutGlass(row: Mapping, roles: Mapping[]): Finding[] {
  const [key, other] = ['break-glass', 'allow-in-emergency'] as const;
  const [glass, list] = [row[key] !== undefined, row[other] !== undefined];
  if (glass !== list) {
    const rule = glass ? `Add \`${other}\`: what the role may do with it.` : `Add \`${key}: true\`, or leave this out.`;
    return [{ path: [glass ? key : other], rule: `This does nothing alone. ${rule}` }];
  }
  if (!glass || isApproved(roles)) return [];
  return [
    {
      path: [key],
      rule: "No role may approve, so nobody would be pinged or could close a review. Add approve to a role's `allow`.",
    },
  ];
}

/** What nobody may approve could never be done. */
function aboutApprovals(row: Mapping, roles: Mapping[]): Finding[] {
  if (row['approvals'] === undefined || isApproved(roles)) return [];
  return [
    {
      path: ['approvals'],
      rule: "No role may approve, so nothing of this could be done. Add approve to a role's `allow`.",
    },
  ];
}

function aboutTier(entry: unknown, servers: readonly unknown[]): string | undefined {
  if (typeof entry !== 'string') return undefined;
  const tiers = servers.map((each) => memberOf(each, 'tier')).filter((tier) => typeof tier === 'string');
  if (tiers.some((tier) => tier.toLowerCase() === entry.toLowerCase())) return undefined;
  return `No server under \`servers\` has this tier.${nearestIs(entry, [...new Set(tiers)])}`;
}

/** Each status word has one meaning. */
function aboutWords(status: Mapping): Finding[] {
  const words = ['running', 'succeeded', 'failed'].flatMap((list) =>
    items(status[list]).map((word, at) => ({ list, at, word })),
  );
  const firsts = firstPlaces(words.map(({ word }) => word));
  return words.flatMap(({ list, at, word }, i) => {
    const first = firsts.get(word) ?? i;
    if (first === i || typeof word !== 'string') return [];
    return [{ path: [list, at], rule: `This word is in \`${words[first]?.list}\` already. A word means one thing.` }];
  });
}
