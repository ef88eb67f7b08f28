import { memberOf } from '../json.ts';
import { dangers } from '../outcome.ts';
import { nearestIs } from '../text.ts';
import { aboutAlerts } from './alerts.ts';
import { acknowledgement, approval, isChange, type Subject } from './decide.ts';
import { aboutTarget, isDanger, namesCommand, targetsIn } from './pattern.ts';
import { aboutServers, type WrittenServer } from './server.ts';
import { eachOf, type Finding, items, type Problem, twiceIn, under } from './shape.ts';

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
const mapping = (value: unknown): Mapping =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const mappings = (value: unknown): Mapping[] => items(value).map(mapping);

/** What one rule says of each row of a list. */
const ofEach = (key: string, rows: readonly Mapping[], about: (row: Mapping) => Finding[]): Finding[] =>
  rows.flatMap((row, at) => under([key, at], about(row)));
/** What one rule says of a value; undefined: nothing. */
const ofOne = (key: string, rule: string | undefined): Finding[] => (rule === undefined ? [] : [{ path: [key], rule }]);

/**
 * Rules that relate parts of the file to each other, to the commands or to the guild. Works on the raw YAML, so that
 * these errors are reported together with invalid values; leaves values of the wrong type to the schema. `listed`: what
 * the inventory has; without its servers, it may be anything.
 */
export function brokenRules(
  value: unknown,
  known: Known,
  { servers: listed }: { servers?: readonly WrittenServer[] },
): Finding[] {
  const file = mapping(value);
  const [roles, schedules] = [mappings(file['roles']), mappings(file['on-call'])];
  const rows = items(file['servers']);
  const all = [...rows, ...(listed ?? [])];
  const targets = listed && targetsIn(all, file['unlisted'] !== 'read' && file['unlisted'] !== 'all');
  const { alerts, limits, notify, several, shell } = file;
  const pinged = namesIn(roles, ['requester', ...(file['on-call'] === undefined ? [] : ['on-call'])]);
  return [
    ...aboutExample(file, known.guild),
    ...ofEach('roles', roles, (row) => [
      ...ofOne('role', row['role'] === known.guild ? everyone : undefined),
      ...eachOf('allow', row['allow'], (entry) => aboutAllowed(entry, known)),
      ...eachOf('during-freeze', row['during-freeze'], (entry) => aboutMatch(entry, known)),
      ...eachOf('allow-in-emergency', row['allow-in-emergency'], (entry) => aboutMatch(entry, known)),
      ...ofOne('on-call', notIn(namesIn(schedules), 'No schedule under `on-call` has this name.')(row['on-call'])),
      ...aboutGlass(row, isApproved(roles)),
      ...eachOf('servers', row['servers'], (entry) => targets && aboutTarget(entry, targets)),
    ]),
    ...aboutRoleNames(roles),
    ...ofEach('commands', mappings(file['commands']), (row) => [
      ...eachOf('match', row['match'], (entry) => aboutMatch(entry, known)),
      ...ofOne('approvals', row['approvals'] === undefined || isApproved(roles) ? undefined : unapproved),
      ...eachOf('tiers', row['tiers'], (entry) => aboutTier(entry, [...all, ...items(file['tiers'])])),
    ]),
    ...under(
      ['alerts'],
      [
        ...aboutAlerts(mapping(alerts), items(file['channels']), targets, known.commands.filter(isChange)),
        ...eachOf('ping', mapping(alerts)['ping'], notIn(pinged, noRole)),
      ],
    ),
    ...aboutServers(rows, listed),
    ...Object.entries(mapping(limits)).flatMap(([id, each]) =>
      under(['limits'], ofOne(id, aboutLimit(id, each, known))),
    ),
    ...under(
      ['several'],
      eachOf('also', mapping(several)['also'], (entry) => aboutAlso(entry, known)),
    ),
    ...aboutWords(mapping(file['restore-status'])),
    ...aboutSchedules(schedules, namesIn(roles)),
    ...ofOne('handover-at-shift', aboutHandover(file)),
    ...eachOf('ask-others', file['ask-others'], notIn(pinged, noRole)),
    ...Object.entries(mapping(notify)).flatMap(([kind, each]) =>
      under(['notify'], eachOf(kind, each, notIn(pinged, noRole))),
    ),
    ...under(['shell'], aboutPeople(mappings(mapping(shell)['people']), namesIn(roles))),
  ];
}

/** The names of rows, and these. */
const namesIn = (rows: readonly Mapping[], more: readonly string[] = []): string[] => [
  ...more,
  ...rows.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
];

const noRole = 'No role of this file has this name.';
/** The rule for a name that none of them is. */
const notIn =
  (names: readonly string[], rule: string) =>
  (name: unknown): string | undefined =>
    typeof name !== 'string' || names.includes(name) ? undefined : `${rule}${nearestIs(name, names)}`;

const everyone = "This is the guild's id, which means @everyone. @everyone cannot be a role here.";

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
const aboutRoleNames = (rows: readonly Mapping[]): Finding[] =>
  twiceIn(rows.map(({ name }) => name))
    .filter(({ at, first }) => rows[first]?.['role'] !== rows[at]?.['role'])
    .map(({ at, first }) => ({
      path: ['roles', at, 'name'],
      rule: `roles[${first}] has this name with another role id. Choose another.`,
    }));

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

function aboutLimit(id: string, value: unknown, { limited, commands }: Known): string | undefined {
  const by = Object.hasOwn(limited, id) ? limited[id] : undefined;
  if (by === undefined) {
    const isCommand = commands.some((command) => command.id === id);
    const wrong = isCommand ? 'This command has neither an amount nor a network.' : 'No command has this id.';
    return `${wrong} Limits are for: ${Object.keys(limited).join(', ')}.`;
  }
  if (by === 'amount' && typeof value === 'object')
    return 'This command has an amount: its limit is a whole number, the largest.';
  if (by === 'prefix' && typeof value === 'number')
    return 'This command has a network: its limit is the shortest prefix of both families, as in { ipv4: 24, ipv6: 48 }.';
  return undefined;
}

const aboutHandover = ({ 'on-call': onCall, 'handover-at-shift': atShift }: Mapping): string | undefined =>
  onCall === undefined && (atShift === 'on' || atShift === true)
    ? 'No shift would change: there is no schedule under `on-call`.'
    : undefined;

/** Each schedule has its own name, and a role that is there to be pinged. */
const aboutSchedules = (schedules: readonly Mapping[], roles: readonly string[]): Finding[] => [
  ...ofEach('on-call', schedules, ({ role }) => ofOne('role', notIn(roles, noRole)(role))),
  ...twiceIn(schedules.map(({ name }) => name)).map(({ at, first }) => ({
    path: ['on-call', at, 'name'],
    rule: `on-call[${first}] has this name already. Each schedule has its own.`,
  })),
];

/** One account is one person, whose roles are there. */
const aboutPeople = (people: readonly Mapping[], names: readonly string[]): Finding[] => [
  ...twiceIn(people.map(({ account }) => account)).map(({ at, first }) => ({
    path: ['people', at, 'account'],
    rule: `shell.people[${first}] has this account already.`,
  })),
  ...ofEach('people', people, ({ roles }) => eachOf('roles', roles, notIn(names, noRole))),
];

const isApproved = (roles: readonly Mapping[]): boolean =>
  roles.some(({ allow }) => items(allow).some((entry) => typeof entry === 'string' && namesCommand(entry, approval)));
const unapproved = "No role may approve, so nothing of this could be done. Add approve to a role's `allow`.";

/** Each of the two keys does nothing without the other, and each review is closed by somebody who may approve. */
function aboutGlass(row: Mapping, mayBeReviewed: boolean): Finding[] {
  const [key, other] = ['break-glass', 'allow-in-emergency'] as const;
  const [glass, list] = [row[key] !== undefined, row[other] !== undefined];
  if (glass && !list) return ofOne(key, `This does nothing alone. Add \`${other}\`: what the role may do with it.`);
  if (list && !glass) return ofOne(other, `This does nothing alone. Add \`${key}: true\`, or leave this out.`);
  if (!glass || mayBeReviewed) return [];
  const rule =
    "No role may approve, so nobody would be pinged or could close a review. Add approve to a role's `allow`.";
  return ofOne(key, rule);
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
  return twiceIn(words.map(({ word }) => word)).map(({ at, first }) => ({
    path: ['restore-status', words[at]?.list ?? '', words[at]?.at ?? 0],
    rule: `This word is in \`${words[first]?.list}\` already. A word means one thing.`,
  }));
}
