import { type Markup, md, quote, serverName, trusted, whyNot } from '../src/card.ts';
import { type Access, type Command, defineRead, type Option } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { maybeServer } from './options.ts';
import { shownOf, slice } from './pages.ts';

const commandsAPart = 9;

const help = defineRead({
  id: 'help',
  everyone: true,
  description: 'What you may run, with an example each',
  example: '/help',
  options: {},
  view(_input, { access, part, options }) {
    const mine = access.commands.filter((command) => access.decide(command).allowed);
    const shown = slice(mine, part, commandsAPart, options);
    const asks = (command: Command): Markup => trusted(access.requirements(command).confirm ? ' Asks first.' : '');
    return Promise.resolve({
      body: [
        ...shown.items.map(
          (command) =>
            md`**${typed(command)}** ${trusted(command.description)}.${asks(command)}\n${quote(command.example)}`,
        ),
        ...shownOf(shown, 'commands that you may run'),
      ],
      ...shown.positions,
    });
  },
});

/** "/firewall flush" for "firewall.flush"; the label of what is in a menu. */
const typed = ({ id, menu }: Pick<Command, 'id' | 'menu'>): Markup => trusted(menu ?? `/${id.replace('.', ' ')}`);

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

/** As it was typed: whether there is such a server is told only to who may do something on it. */
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
  view(input, { access }) {
    const command = access.commands.find(({ id }) => id === input.command);
    return Promise.resolve(
      command === undefined
        ? { outcome: 'invalid', body: [md`There is no command ${input.command}.`, trusted('/help lists yours.')] }
        : { body: answer(access, command, input.server) },
    );
  },
});

/** Of a server on which the actor may do nothing, the same is said as of one that is not there. */
function answer(access: Access, command: Command, named: string | undefined): Markup[] {
  const general = access.decide(command);
  if (general.allowed && general.role === 'everyone')
    return [md`Yes: you may run **${typed(command)}**.`, trusted('Everyone may.')];
  const server = named === undefined ? undefined : access.find(named);
  const decision = server === undefined ? general : access.decide(command, server);
  if (!decision.allowed) return [no(command, server, named), ...whyNot(decision)];
  if (named !== undefined && server === undefined)
    return [
      no(command, server, named),
      trusted(
        'None of your roles may do anything there, or the policy names no such server. Pick one that is suggested: those are yours.',
      ),
    ];
  const { confirm, typed: name, reason } = access.requirements(command);
  const on = server === undefined ? trusted('') : md` on ${serverName(server)}`;
  return [
    md`Yes: you may run **${typed(command)}**${on}.`,
    md`Role ${decision.role}, by the rule ${decision.by}.`,
    ...(named === undefined && 'server' in command.options
      ? [trusted('Not on every server, perhaps: name one to be sure.')]
      : []),
    ...(confirm ? [trusted(`It asks first${name ? ", and you type the server's name to confirm" : ''}.`)] : []),
    ...(reason ? [trusted('It wants a reason.')] : []),
  ];
}

function no(command: Command, server: Server | undefined, named: string | undefined): Markup {
  const on =
    server === undefined ? trusted(named === undefined ? '' : ' on that server') : md` on ${serverName(server)}`;
  return md`No: you may not run **${typed(command)}**${on}.`;
}

export const helpCommands = [help, can];
