import { count, list, type Markup, md, serverName, trusted, whyNot } from '../src/card.ts';
import { type Access, type Command, defineRead, described, type Option, type View } from '../src/command.ts';
import { nearestIs } from '../src/nearest.ts';
import type { Server } from '../src/outcome.ts';
import { maybeServer } from './options.ts';

/** "/firewall flush" for "firewall.flush"; the label for a menu command. */
const typed = ({ id, menu }: Pick<Command, 'id' | 'menu'>): Markup => trusted(menu ?? `/${id.replace('.', ' ')}`);

/** Finds a command id in any spelling. */
const commandId: Option<string> = {
  type: 'string',
  description: 'The command: power.boot, or power boot',
  example: 'power.boot',
  required: true,
  max: 40,
  suggest: ({ typed: text, commands }) =>
    commands
      .filter((id) => id.includes(text.trim().replace(/^\//, '').replace(' ', '.')))
      .slice(0, 25)
      .map((id) => ({ name: id.replace('.', ' '), value: id })),
  read: (raw) => String(raw).trim().replace(/^\//, '').replace(' ', '.'),
  write: (value) => value,
};

export const maybeCommand: Option<string | undefined> = {
  ...commandId,
  required: false,
  read: (raw, context) => (raw === undefined ? undefined : commandId.read(raw, context)),
  write: (value) => value,
};

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

/** One screen: a line for each group. */
function overview(access: Access): View {
  const may = (command: Command): boolean => access.decide(command).allowed;
  const mine = access.commands.filter(may);
  const others = access.commands.filter((command) => !may(command));
  const groups = [...new Set(mine.map(groupOf))];
  return {
    fact: trusted(`${count(mine.length, 'command')} of ${access.commands.length}. Tap one to type it.`),
    body: [
      ...groups.map((group) => {
        const all = mine.filter((command) => groupOf(command) === group);
        return md`**${trusted(group)}** ${list(
          all.map((command) => link(command, access)),
          ', ',
        )}`;
      }),
      ...(others.length === 0 ? [] : [md`**Not yours** ${list(others.map(typed), ', ')}`]),
      ...(access.version === undefined ? [] : [trusted(`-# panelops ${access.version}`)]),
    ],
    nextSteps: [trusted('/help with a command has the rest: options, an example, who may.')],
  };
}

const acronyms: Readonly<Record<string, string>> = { cpu: 'CPU', ipv4: 'IPv4', vlan: 'VLAN' };

/** "Firewall" for "firewall.flush"; commands that stand alone are one group, those in a message's menu another. */
function groupOf({ id, menu }: Command): string {
  if (menu !== undefined) return "In a message's menu, under Apps:";
  const [group = '', name] = id.split('.');
  if (name === undefined) return 'General';
  return acronyms[group] ?? `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`;
}

/** All about one command. */
function about(command: Command, access: Access): View {
  const decision = access.decide(command);
  const { confirm, typed: name, reason } = access.requirements(command);
  const options = Object.entries(command.options).map(([option, spec]) =>
    trusted(`- \`${option}\`${spec.required ? ' (required)' : ''}: ${described(spec, access.zone)}`),
  );
  return {
    fact: md`${link(command, access)}: ${trusted(command.description)}.`,
    body: [
      ...(command.menu === undefined ? [md`Example: ${command.example}`] : []),
      ...options,
      ...(confirm ? [trusted(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
      ...(reason ? [trusted('It wants a reason.')] : []),
      ...(decision.allowed ? [trusted('You may run it.')] : whyNot(decision)),
    ],
  };
}

const noSuch = (id: string, { commands }: Access): View => ({
  outcome: 'invalid',
  wrong: 'command',
  fact: trusted(
    `there is no such command.${nearestIs(
      id,
      commands.map((each) => each.id),
    )}`,
  ),
  body: [],
  nextSteps: [trusted('/help lists yours.')],
});

/** The server as typed: only people who may touch a server learn whether it exists. */
const anyServer: Option<string | undefined> = {
  ...maybeServer,
  read: (raw) => (raw === undefined ? undefined : String(raw)),
  write: (value) => value,
};

const can = defineRead({
  id: 'can',
  everyone: true,
  description: 'Whether you may run a command, on a server, and by which rule',
  example: '/can command:power.poweroff server:web-1',
  options: { command: commandId, server: anyServer },
  title: (input) =>
    md`May you run ${`/${input.command.replace('.', ' ')}`}${input.server === undefined ? trusted('') : md` on ${input.server}`}?`,
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
  if (!decision.allowed) return { fact: no(command, server, named), body: whyNot(decision) };
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
    ...(named === undefined && 'server' in command.options
      ? [trusted('Not on every server, perhaps: name one to be sure.')]
      : []),
    ...(confirm ? [trusted(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
    ...(reason ? [trusted('It wants a reason.')] : []),
  ];
  return { fact: md`Yes: you may run ${typed(command)}${on}.`, body };
}

function no(command: Command, server: Server | undefined, named: string | undefined): Markup {
  const on =
    server === undefined ? trusted(named === undefined ? '' : ' on that server') : md` on ${serverName(server)}`;
  return md`No: you may not run ${typed(command)}${on}.`;
}

export const helpCommands = [help, can];
