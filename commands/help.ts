import { count, list, type Markup, md, serverName, trusted, whyNot } from '../src/card.ts';
import { type Access, type Command, defineRead, described, type Option, type View } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { didYouMean, isTypoOf } from '../src/text.ts';
import { typedName } from '../src/view/words.ts';
import { maybe, server as namedServer } from './options.ts';

/** "/firewall flush" for "firewall.flush"; for a menu command its label, and where it is. */
const typed = ({ id, menu }: Pick<Command, 'id' | 'menu'>): Markup =>
  trusted(menu === undefined ? typedName(id) : `${menu} (a message's menu, Apps)`);

const idOf = (text: string): string => text.trim().replace(/^\//, '').replace(' ', '.');

const isTopic = (topic: string, text: string): boolean =>
  topic.toLowerCase().split(', ').includes(text.trim().toLowerCase());

/** Of what names a command, in characters. */
const longest = 40;

const commandId: Option<string> = {
  type: 'string',
  description: 'The command: power.boot, or power boot',
  example: 'power.boot',
  required: true,
  max: longest,
  suggest: ({ typed: text, commands }) =>
    commands
      .filter((id) => id.includes(idOf(text)) || isTopic(topicOf({ id }), text))
      .slice(0, 25)
      .map((id) => ({ name: id.replace('.', ' '), value: id })),
  read: (raw) => idOf(String(raw)),
};

export const maybeCommand = maybe(commandId);

const help = defineRead({
  id: 'help',
  everyone: true,
  anywhere: true,
  description: 'What you may run; with a command, all about it',
  example: '/help',
  options: { command: maybeCommand },
  title: ({ command }) => (command === undefined ? trusted('What you may run') : md`About ${command}`),
  view(input, { access }) {
    const command = access.commands.find(({ id }) => id === input.command);
    if (command !== undefined) return Promise.resolve(about(command, access));
    return Promise.resolve(input.command === undefined ? overview(access) : noSuch(input.command, access));
  },
});

/** A link that types the command, where Discord has one. */
const link = (command: Command, { mention }: Access): Markup => {
  const found = mention(command);
  return found === undefined ? typed(command) : trusted(found);
};

/** One screen of a phone: a line or two for each topic. */
function overview(access: Access): View {
  const may = (command: Command): boolean => access.decide(command).allowed;
  const mine = access.commands.filter(may);
  // What only its name gives, and nobody has, is not in use here.
  const used = access.commands.filter((command) => !command.byName || isGiven(command, access));
  const others = used.filter((command) => !may(command));
  return {
    fact: trusted(`${count(mine.length, 'command')} of ${used.length}. Tap one to type it.`),
    body: [
      ...byTopic(mine).map(
        ([topic, all]) =>
          md`**${trusted(topic)}** ${list(
            all.map((command) => link(command, access)),
            ', ',
          )}`,
      ),
      ...(others.length === 0 ? [] : [md`**Not yours** ${trusted(shortened(others))}`]),
      ...(access.version === undefined ? [] : [trusted(`-# panelops ${access.version}`)]),
    ],
    nextSteps: [trusted('/help command: explains one.')],
  };
}

const isGiven = (command: Command, access: Access): boolean => {
  const decision = access.decide(command);
  return decision.allowed || decision.holders.length > 0;
};

/** What a command is about, by its first word, in the order of the card. */
const topics: Readonly<Record<string, readonly string[]>> = {
  Firewall: ['firewall', 'whitelist'],
  'Power, CPU': ['power', 'cpu'],
  Network: ['ipv4', 'vlan', 'traffic'],
  Restores: ['backup', 'follow-ups'],
  'On call': ['server', 'handover', 'oncall', 'alerts', 'incident', 'freeze', 'thaw', 'hold', 'release'],
  Panel: ['panel', 'hypervisors'],
  Audit: ['audit'],
  Help: ['help', 'can'],
};

const wordOf = ({ id }: Pick<Command, 'id'>): string => id.split('.', 1)[0] ?? id;

const topicOf = (command: Pick<Command, 'id'>): string =>
  Object.keys(topics).find((topic) => topics[topic]?.includes(wordOf(command))) ?? 'More';

/** What has no topic of its own stands last. */
function byTopic(commands: readonly Command[]): [topic: string, commands: Command[]][] {
  return [...Object.keys(topics), 'More'].flatMap((topic): [string, Command[]][] => {
    const all = commands.filter((command) => topicOf(command) === topic);
    return all.length === 0 ? [] : [[topic, all]];
  });
}

/** "/firewall disable, flush; /vlan set": the first word once. */
export function shortened(commands: readonly Command[]): string {
  const typedOnes = commands.filter(({ menu }) => menu === undefined);
  const words = [...new Set(typedOnes.map(wordOf))].map((word) => {
    const rest = typedOnes.flatMap(({ id }) => (id.startsWith(`${word}.`) ? [id.slice(word.length + 1)] : []));
    return `/${[word, rest.join(', ')].filter((each) => each !== '').join(' ')}`;
  });
  return [...words, ...commands.flatMap(({ menu }) => menu ?? [])].join('; ');
}

function about(command: Command, access: Access): View {
  const decision = access.decide(command);
  const { confirm, typed: name, reason, approvals } = access.requirements(command);
  const options = Object.entries(command.options).map(([option, spec]) =>
    trusted(`- \`${option}\`${spec.required ? ' (required)' : ''}: ${described(spec, access.zone)}`),
  );
  return {
    fact: md`${link(command, access)}: ${trusted(command.description)}.`,
    body: [
      ...(command.menu === undefined ? [md`Example: ${command.example}`] : []),
      ...options,
      ...(confirm ? [trusted(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
      ...(approvals === undefined
        ? []
        : [
            trusted(
              `After Confirm, ${approvals === 1 ? 'another person' : `${approvals} other people`} must approve it.`,
            ),
          ]),
      ...(reason ? [trusted('It requires a reason.')] : []),
      ...(decision.allowed ? [trusted('You may run it.')] : whyNot(decision)),
      ...inEmergency(access, command),
    ],
  };
}

/** Said only to those who have that way. */
const inEmergency = ({ decide }: Access, command: Command, server?: Server): Markup[] =>
  !command.everyone && decide(command, server, true).allowed
    ? [trusted('In an emergency you may proceed with break-glass: the bot offers it, asks why, and others review it.')]
    : [];

const maxMeant = 3;
/** Of a word that says what somebody looks for, in characters: shorter ones, such as "to", stand in every description. */
const shortest = 3;

/** What was meant: a slip in the name, or in a word of it; else what has the word in its description. */
function meant(id: string, commands: readonly Command[]): string[] {
  if (id.length > longest) return [];
  const words = id
    .toLowerCase()
    .split(/[^a-z0-9-]+/)
    .filter((word) => word.length >= shortest);
  const of = (fits: (command: Command) => boolean): string[] =>
    commands.filter((command) => command.menu === undefined && fits(command)).map((command) => command.id);
  const ways = [
    of((command) => isTypoOf(id.toLowerCase(), command.id)),
    of((command) => command.id.split('.').some((part) => words.some((word) => isTypoOf(word, part)))),
    of(({ description }) =>
      description
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .some((word) => words.includes(word)),
    ),
  ];
  return (ways.find((found) => found.length > 0) ?? []).slice(0, maxMeant);
}

const noSuch = (id: string, { commands }: Access): View => ({
  outcome: 'invalid',
  wrong: 'command',
  fact: trusted(`there is no such command.${didYouMean(meant(id, commands))}`),
  body: [],
  nextSteps: [trusted('/help lists yours.')],
});

/** The server as typed: only people who may touch a server learn whether it exists. */
const anyServer = maybe<string>({
  ...namedServer,
  read: String,
  write: (value) => value,
  servers: () => [],
});

const can = defineRead({
  id: 'can',
  everyone: true,
  description: 'Whether you may run a command, on a server, and by which rule',
  example: '/can command:power.poweroff server:web-1',
  options: { command: commandId, server: anyServer },
  title: (input) =>
    md`May you run ${typedName(input.command)}${input.server === undefined ? trusted('') : md` on ${input.server}`}?`,
  view(input, { access }) {
    const command = access.commands.find(({ id }) => id === input.command);
    return Promise.resolve(
      command === undefined ? noSuch(input.command, access) : answer(access, command, input.server),
    );
  },
});

/** A server on which the actor may do nothing gets the same answer as one that does not exist. */
function answer(access: Access, command: Command, named: string | undefined): View {
  const general = access.decide(command);
  if (general.allowed && general.role === 'everyone')
    return { fact: md`Yes: you may run ${typed(command)}.`, body: [trusted('Everyone may.')] };
  const server = named === undefined ? undefined : access.find(named);
  const decision = server === undefined ? general : access.decide(command, server);
  if (!decision.allowed)
    return {
      fact: no(command, server, named),
      body: [...whyNot(decision), ...aboutName(server), ...inEmergency(access, command, server)],
    };
  if (named !== undefined && server === undefined)
    return {
      fact: no(command, server, named),
      body: [trusted('None of your roles may do anything there, or the policy names no such server.')],
      nextSteps: [trusted('Pick one that is suggested: those are yours.')],
    };
  const { confirm, typed: name, reason } = access.requirements(command);
  const on = server === undefined ? trusted('') : md` on ${serverName(server)}`;
  const body = [
    md`Role ${decision.role}, by the rule ${decision.by}.`,
    ...aboutName(server),
    ...(named === undefined && 'server' in command.options
      ? [trusted('Not on every server, perhaps: name one to be sure.')]
      : []),
    ...(confirm ? [trusted(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
    ...(reason ? [trusted('It requires a reason.')] : []),
  ];
  const trial = { label: 'What would be sent?', does: 'trial' } as const;
  const sends = server !== undefined && command.sends !== undefined;
  return {
    fact: md`Yes: you may run ${typed(command)}${on}.`,
    body,
    offers: sends ? [{ ...trial, step: { command: command.id, options: { server: String(server.id) } } }] : [],
  };
}

/** What the panel calls a server gives nobody a right. */
const aboutName = (server: Server | undefined): Markup[] =>
  server?.unwritten || server?.called !== undefined
    ? [trusted('The policy has this server from the panel: roles reach it by its id, not by what the panel calls it.')]
    : [];

function no(command: Command, server: Server | undefined, named: string | undefined): Markup {
  const on =
    server === undefined ? trusted(named === undefined ? '' : ' on that server') : md` on ${serverName(server)}`;
  return md`No: you may not run ${typed(command)}${on}.`;
}

export const helpCommands = [help, can];
