import { type Markup, md, quote, trusted } from '../card.ts';
import type { Command, Prepared, PreparedChange } from '../command.ts';
import { type Actor, type Decision, Invalid, type Place, type RawOptions, type Server } from '../outcome.ts';
import type { Limit } from '../policy/schema.ts';
import { deniedCard, nameOf, note, typedName } from './notes.ts';
import type { Parts } from './parts.ts';
import { denyHidden, namesIn } from './reach.ts';

/** What an actor asks for, before anything was decided. */
export interface Ask {
  actor: Actor;
  place: Place;
  command: string;
  options: RawOptions;
  people?: readonly Actor[];
}

type No = Extract<Decision, { allowed: false }>;

/** Who was denied what: an auditor looks for it. */
export interface Denial {
  command: Command;
  decision: No;
}

/** What was asked for, ready to run; or the private card that says why not. `denial` is what an auditor looks for. */
export type Authorization =
  | { kind: 'allowed'; command: Command; prepared: Prepared }
  | { kind: 'refused'; card: ReturnType<typeof note>; denial?: Denial };
export type Refusal = Extract<Authorization, { kind: 'refused' }>;

/** Decides from what is at hand, without any I/O: place, permission, options, permission for each server, the policy's bounds. */
export function authorize(parts: Pick<Parts, 'commands' | 'rules' | 'now'>, ask: Ask): Authorization {
  const { rules } = parts;
  const command = parts.commands.find(({ id }) => id === ask.command);
  const name = command === undefined ? 'this command' : nameOf(command);
  if (!rules.answersIn(ask.place))
    return refused(
      note('denied', name, trusted(`Commands are not answered here${elsewhere(rules)}. Nothing was sent.`)),
    );
  if (command === undefined)
    return refused(note('invalid', name, trusted('The bot does not have this command any more. /help lists yours.')));

  const may = rules.decide(ask.actor.roles, command);
  if (!may.allowed) return denied(command, may);
  // Before any option is read: what is wrong with them would tell which of the servers there are.
  const hidden = denyHidden(parts, ask.actor, command, ask.options['server']);
  if (hidden !== undefined) return denied(command, hidden, others(parts, command, ask));
  const prepared = prepare(parts, command, ask);
  if (prepared instanceof Invalid) return invalid(command, prepared);
  const decision = decideServers(parts, ask.actor, command, prepared.servers);
  if (decision !== undefined) return denied(command, decision, others(parts, command, ask));
  const bound = bounds(parts, command, prepared);
  return bound === undefined ? { kind: 'allowed', command, prepared } : invalid(command, bound);
}

/** The first server that the actor may not touch. */
export function decideServers(
  parts: Pick<Parts, 'rules'>,
  actor: Actor,
  command: Command,
  servers: readonly Server[],
): No | undefined {
  for (const server of servers) {
    const decision = parts.rules.decide(actor.roles, command, server);
    if (!decision.allowed) return decision;
  }
  return undefined;
}

type Preparing = Pick<Parts, 'commands' | 'now'> & { rules: Pick<Parts['rules'], 'find'> };

/** The command of a run as it was then; undefined where the policy or the command does not let it be read any more. */
export function preparedOf(
  parts: Preparing,
  of: Pick<Ask, 'command' | 'options'> | undefined,
): PreparedChange | undefined {
  const command = parts.commands.find(({ id }) => id === of?.command);
  const prepared = of && command && prepare(parts, command, of);
  return prepared instanceof Invalid || prepared?.kind !== 'change' ? undefined : prepared;
}

function prepare(
  parts: Omit<Preparing, 'commands'>,
  command: Command,
  { options, people = [] }: Pick<Ask, 'options' | 'people'>,
): Prepared | Invalid {
  try {
    return command.prepare(options, { now: parts.now(), find: parts.rules.find, people });
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}

/** What the policy wants beyond the command's own rules. */
function bounds({ rules }: Pick<Parts, 'rules'>, command: Command, prepared: Prepared): Invalid | undefined {
  if (prepared.kind !== 'change') return undefined;
  if (rules.requirements(command).reason && prepared.reason === undefined)
    return new Invalid('reason', 'the policy wants a reason for this command');
  const { limited } = command;
  const limit = limited === undefined ? undefined : rules.limit(command);
  if (limited === undefined || limit === undefined) return undefined;
  const rule = beyond(limit, prepared.options[limited.option]);
  return rule === undefined ? undefined : new Invalid(limited.option, `${rule}, says the policy`);
}

/** The rule that an option breaks, as it is written out: an amount, or a network with its prefix. */
function beyond(limit: Limit, value: RawOptions[string] | undefined): string | undefined {
  if (typeof limit === 'number') return Number(value) > limit ? `at most ${limit} in one command` : undefined;
  const [address = '', prefix] = String(value).split('/');
  const [family, shortest] = address.includes(':') ? ['IPv6', limit.ipv6] : ['IPv4', limit.ipv4];
  return Number(prefix) < shortest ? `no ${family} network that is broader than /${shortest}` : undefined;
}

const mostNamed = 5;
const elsewhere = ({ channels }: Parts['rules']): string =>
  channels.length === 0
    ? ''
    : `, but in ${channels
        .slice(0, mostNamed)
        .map((id) => `<#${id}>`)
        .join(', ')}`;

const refused = (card: ReturnType<typeof note>): Authorization => ({ kind: 'refused', card });
function denied(command: Command, decision: No, more: readonly Markup[] = []): Authorization {
  const card = deniedCard(command, decision);
  return { kind: 'refused', card: { ...card, body: [...card.body, ...more] }, denial: { command, decision } };
}

/** Of several servers, those that the actor may touch, as it is typed for them alone. */
function others({ rules }: Pick<Parts, 'rules'>, command: Command, ask: Ask): Markup[] {
  const servers = namesIn(ask.options['server']).flatMap((text) => rules.find(text) ?? []);
  const may = servers.filter((server) => rules.decide(ask.actor.roles, command, server).allowed);
  if (may.length === 0 || typeof ask.options['server'] !== 'string') return [];
  const { server: _all, reason, ...rest } = ask.options;
  const needed = rules.requirements(command).reason && reason !== undefined ? { reason } : {};
  const given = { server: may.map(({ name, id }) => name ?? id).join(','), ...rest, ...needed };
  const words = Object.entries(given).map(
    ([name, value]) => `${name}:${/\s/.test(String(value)) ? JSON.stringify(value) : value}`,
  );
  return [md`You may: ${quote([typedName(command.id), ...words].join(' '), longestLine)}.`];
}

const longestLine = 1000;

const invalid = (command: Command, { option, rule }: Invalid): Authorization =>
  refused(
    note(
      'invalid',
      nameOf(command),
      md`${quote(option)}: ${trusted(rule)}.`,
      md`For example: ${command.example}`,
      trusted('Nothing was sent.'),
    ),
  );
