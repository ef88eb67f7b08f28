import { type Markup, md, own, quote, serverName, whyNot } from '../src/card.ts';
import { type Access, type Command, defineRead, type Option } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { maybeServer } from './options.ts';
import { shownOf, slice } from './pages.ts';

const commandsAPart = 9;

const help = defineRead({
  id: 'help',
  description: 'What you may run, with an example each',
  example: '/help',
  options: {},
  view(_input, { access, part, options }) {
    const mine = access.commands.filter((command) => access.decide(command).allowed);
    const shown = slice(mine, part, commandsAPart, options);
    const asks = (command: Command): Markup => own(access.requirements(command).confirm ? ' Asks first.' : '');
    return Promise.resolve({
      body: [
        ...shown.items.map(
          (command) =>
            md`**${typed(command)}** ${own(command.description)}.${asks(command)}\n${quote(command.example)}`,
        ),
        ...shownOf(shown, 'commands that you may run'),
      ],
      ...shown.positions,
    });
  },
});

/** "/firewall flush" for "firewall.flush"; the label of what is in a menu. */
const typed = ({ id, menu }: Pick<Command, 'id' | 'menu'>): Markup => own(menu ?? `/${id.replace('.', ' ')}`);

/** A command's id, however it is written. */
export const commandId: Option<string> = {
  type: 'string',
  description: 'The command: power.boot, or power boot',
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

const can = defineRead({
  id: 'can',
  description: 'Whether you may run a command, on a server, and by which rule',
  example: '/can command:power.poweroff server:web-1',
  options: { command: commandId, server: maybeServer },
  view(input, { access }) {
    const command = access.commands.find(({ id }) => id === input.command);
    if (command === undefined)
      return Promise.resolve({
        outcome: 'invalid',
        body: [md`There is no command ${input.command}.`, own('/help lists yours.')],
      });
    const on = input.server === undefined ? own('') : md` on ${known(access, input.server)}`;
    const decision = access.decide(command, input.server);
    const { confirm, typed: name, reason } = access.requirements(command);
    const wants = [
      ...(confirm ? [own(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
      ...(reason ? [own('It wants a reason.')] : []),
    ];
    return Promise.resolve({
      body: decision.allowed
        ? [
            md`Yes: you may run **${typed(command)}**${on}.`,
            // The policy has no role of this name: it is for what everybody may.
            decision.role === 'everyone'
              ? own('Everyone may.')
              : md`Role ${decision.role}, by the rule ${decision.by}.`,
            ...(input.server === undefined && 'server' in command.options
              ? [own('Not on every server, perhaps: name one to be sure.')]
              : []),
            ...wants,
          ]
        : [md`No: you may not run **${typed(command)}**${on}.`, ...whyNot(decision)],
    });
  },
});

/** Who may do nothing on a server is told neither its name nor its id. */
const known = (access: Access, server: Server): Markup => {
  const decisions = access.commands.map((command) => access.decide(command, server));
  return decisions.some((decision) => decision.allowed && decision.role !== 'everyone')
    ? serverName(server)
    : own('that server');
};

export const helpCommands: readonly Command[] = [help, can];
