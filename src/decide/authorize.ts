import { block, type Card, type Markup, md, quote, trusted, typedAs } from '../card.ts';
import { type Command, lineOf, type Prepared, type PreparedChange } from '../command.ts';
import { type Actor, Invalid, type Place, type RawOptions, type Ruling, type Server } from '../outcome.ts';
import type { Limit } from '../policy/schema.ts';
import { serverNow } from './blockers.ts';
import { type Answer, answer, type Denial, type Snapshot } from './decision.ts';
import { invalidCard } from './invalid.ts';
import { deniedCard, deniedPress, nameOf, note, nothingDone } from './notes.ts';
import { changesState, denyHidden, namesIn, reachedBy, spellOut, tooMany, usable } from './reach.ts';

/** What an actor asks for, before any decision. */
export interface Ask {
  actor: Actor;
  place: Place;
  command: string;
  options: RawOptions;
  people?: readonly Actor[];
  /** They go on with break-glass. Its reason is reason enough. */
  breakGlass?: object | string;
}

type No = Extract<Ruling, { allowed: false }>;

/** The request, ready to run; or the private card that says why not. `lacksReason`: a form can ask for it. */
export type Authorization =
  | { kind: 'allowed'; command: Command; prepared: Prepared }
  | { kind: 'refused'; card: Card; denial?: Denial; lacksReason?: Unexplained };

/** `options`: with each selector as the servers that it stood for, so that no other one joins them while the form is open. */
export interface Unexplained {
  command: Command;
  servers: readonly Server[];
  options: RawOptions;
}
export type Refusal = Extract<Authorization, { kind: 'refused' }>;

/** Decides without I/O: place, permission, options, permission for each server, limits of the policy. */
export function authorize(parts: Pick<Snapshot, 'commands' | 'rules' | 'now'>, ask: Ask): Authorization {
  const { rules } = parts;
  const command = parts.commands.find(({ id }) => id === ask.command);
  const name = command === undefined ? 'this command' : nameOf(command);
  if (!rules.answersIn(ask.place, command))
    return refused(
      note('not-sent', name, trusted(`Commands are not answered here${elsewhere(rules)}. ${nothingDone(command)}`)),
    );
  if (command === undefined)
    return refused(
      note(
        'invalid',
        name,
        trusted('The bot no longer has this command. /help lists yours.'),
        block(lineOf({ id: ask.command }, ask.options)),
      ),
    );

  const isEmergency = ask.breakGlass !== undefined;
  const may = rules.decide(ask.actor.roles, command, undefined, isEmergency);
  if (!may.allowed) return denied(command, may, isEmergency ? [breakGlassWords] : insteadOf(parts, command, ask));
  const options = spellOut(parts, ask.actor, command, ask.options);
  if (options instanceof Invalid) return invalid(command, options, ask.options);
  // Before any option is parsed: an error in the options would reveal which servers exist.
  const hidden = denyHidden(parts, ask.actor, command, options['server']);
  if (hidden !== undefined) return denied(command, hidden, others(parts, command, ask.actor, options));
  const slipped = slip(command, options);
  if (slipped !== undefined) return invalid(command, slipped, ask.options);
  const prepared = prepare(parts, command, { ...ask, options }, (text) =>
    rules.near(text, usable(parts, ask.actor, command).hasListed),
  );
  if (prepared instanceof Invalid) return invalid(command, prepared, ask.options);
  const decision = decideServers(parts, ask.actor, command, prepared.servers, isEmergency);
  if (decision !== undefined) {
    if (isEmergency) return denied(command, decision, [breakGlassWords]);
    const reached = reachedBy(parts, decision.server, ask.options);
    return denied(command, decision, [...reached, ...others(parts, command, ask.actor, options)]);
  }
  const bound = bounds(parts, command, prepared);
  if (bound !== undefined) return invalid(command, bound, ask.options);
  const isUnexplained = prepared.kind === 'change' && prepared.reason === undefined && !isEmergency;
  if (!isUnexplained || !rules.requirements(command, prepared.servers).reason)
    return { kind: 'allowed', command, prepared };
  const lacking = new Invalid('reason', 'the policy wants a reason for this command');
  return { ...invalid(command, lacking, ask.options), lacksReason: { command, servers: prepared.servers, options } };
}

/** What whoever pressed a button hears of that, with the options that the button is about. */
export const refusedPress = ({ card, denial }: Refusal, options: RawOptions): Answer =>
  answer(card, { options, denial });

/** Refuses a press by whoever may not run that command on all of these servers, as they are now. */
export function refusedOn(
  snapshot: Pick<Snapshot, 'rules'>,
  actor: Actor,
  command: Command,
  servers: readonly Server[],
  ...about: [options: RawOptions, nothing: string]
): Answer | undefined {
  const decision = denialOn(
    snapshot,
    actor,
    command,
    servers.map((server) => serverNow(snapshot, server)),
  );
  return decision && deniedPress(command, decision, ...about);
}

/** Why the actor may not run it on all of these servers. */
export function denialOn(
  parts: Pick<Snapshot, 'rules'>,
  actor: Actor,
  command: Command,
  servers: readonly Server[],
): No | undefined {
  const general = parts.rules.decide(actor.roles, command);
  return general.allowed ? decideServers(parts, actor, command, servers) : general;
}

/** The first server that the actor may not touch. */
function decideServers(
  parts: Pick<Snapshot, 'rules'>,
  actor: Actor,
  command: Command,
  servers: readonly Server[],
  isEmergency = false,
): No | undefined {
  for (const server of servers) {
    const decision = parts.rules.decide(actor.roles, command, server, isEmergency);
    if (!decision.allowed) return decision;
  }
  return undefined;
}

type Preparing = Pick<Snapshot, 'commands' | 'now'> & { rules: Pick<Snapshot['rules'], 'find' | 'team'> };

/** The command of an earlier run. Undefined if the policy or the command no longer accepts its options. */
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
  near?: (text: string) => readonly Server[],
): Prepared | Invalid {
  try {
    const { find, team } = parts.rules;
    return command.prepare(options, { now: parts.now(), team, find, people, near });
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}

/** Checks the limits of the policy, which hold for everybody. */
export function bounds(parts: Pick<Snapshot, 'rules'>, command: Command, prepared: Prepared): Invalid | undefined {
  const { rules } = parts;
  const many = tooMany(parts, command, prepared.servers.length);
  if (many !== undefined || prepared.kind !== 'change') return many;
  const { limited } = command;
  const limit = limited === undefined ? undefined : rules.limit(command);
  if (limited === undefined || limit === undefined) return undefined;
  const rule = beyond(limit, prepared.options[limited.option]);
  return rule === undefined ? undefined : new Invalid(limited.option, `the policy allows ${rule}`);
}

/** The limit that an option exceeds, in words: an amount, or a network's prefix. */
function beyond(limit: Limit, value: RawOptions[string] | undefined): string | undefined {
  if (typeof limit === 'number') return Number(value) > limit ? `at most ${limit} in one command` : undefined;
  const [address = '', prefix] = String(value).split('/');
  const [family, shortest] = address.includes(':') ? ['IPv6', limit.ipv6] : ['IPv4', limit.ipv4];
  return Number(prefix) < shortest ? `no ${family} network broader than /${shortest}` : undefined;
}

const maxNamed = 5;
const elsewhere = ({ channels }: Snapshot['rules']): string =>
  channels.length === 0
    ? ''
    : `, but in ${channels
        .slice(0, maxNamed)
        .map((id) => `<#${id}>`)
        .join(', ')}`;

const refused = (card: Card): Refusal => ({ kind: 'refused', card });
function denied(command: Command, decision: No, more: readonly Markup[]): Authorization {
  const card = deniedCard(command, decision);
  return { kind: 'refused', card: { ...card, body: [...card.body, ...more] }, denial: { command, decision } };
}

/** If the actor may touch some of the servers, shows the command with only those. */
function others({ rules }: Pick<Snapshot, 'rules'>, command: Command, { roles }: Actor, options: RawOptions): Markup[] {
  const servers = namesIn(options['server']).flatMap((text) => rules.find(text) ?? []);
  const allowed = servers.filter((server) => rules.decide(roles, command, server).allowed);
  const may = [...new Map(allowed.map((server) => [server.id, server])).values()];
  if (may.length === 0 || typeof options['server'] !== 'string') return [];
  const { server: _all, reason, ...rest } = options;
  const needed: RawOptions = rules.requirements(command, allowed).reason && reason !== undefined ? { reason } : {};
  const given = { server: may.map(typedAs).join(','), ...rest, ...needed };
  return [md`You may: ${quote(lineOf(command, given), maxLineLength)}.`];
}

const breakGlassWords = trusted('Break-glass does not change that: it needs `allow-in-emergency` in the policy.');

const maxLineLength = 1000;

/** What answers a part of the question, where the actor may run that. */
function insteadOf(
  { rules, commands }: Pick<Snapshot, 'rules' | 'commands'>,
  { instead }: Command,
  ask: Ask,
): Markup[] {
  const other = commands.find(({ id }) => id === instead?.command);
  if (instead === undefined || other === undefined) return [];
  const { roles } = ask.actor;
  const [typed] = namesIn(ask.options['server']);
  const server = typed === undefined ? undefined : rules.find(typed);
  if (typed !== undefined && server === undefined) return [];
  if (!rules.decide(roles, other, server).allowed) return [];
  const line = lineOf(other, { server: server === undefined ? 'NAME' : typedAs(server) });
  return [md`You may run ${quote(line, maxLineLength)}: it shows ${trusted(instead.shows)}.`];
}

const invalid = (...about: Parameters<typeof invalidCard>): Refusal => refused(invalidCard(...about));

/** `tier:production`, `until:"tomorrow 8:00"` at the beginning of a text. A space after the colon makes it text. */
const written = /^([\w-]+):(?:"([^"]*)"|(\S+))\s*/;

/** A text that begins with the name of an option that was left empty: without it, the change may reach far more. */
export function slip(command: Command, typed: RawOptions): Invalid | undefined {
  if (!changesState(command)) return undefined;
  for (const [option, text] of Object.entries(typed)) {
    const meant: Record<string, string | number | boolean> = { ...typed };
    delete meant[option];
    let rest = String(text).trim();
    for (let found = written.exec(rest); found !== null; found = written.exec(rest)) {
      const [whole, name = '', quoted, bare = ''] = found;
      if (!(name in command.options) || name in meant || name === option) break;
      meant[name] = quoted ?? bare;
      rest = rest.slice(whole.length);
    }
    const [first] = Object.keys(meant).filter((name) => !(name in typed));
    if (first === undefined) continue;
    const own = rest.startsWith(`${option}:`) ? rest.slice(option.length + 1) : rest;
    const left = own.replace(/^"(.*)"$/, '$1').trim();
    return new Invalid(option, `this begins with \`${first}:\`, which is an option of its own, and was left empty`, {
      ...meant,
      ...(left === '' ? {} : { [option]: left }),
    });
  }
  return undefined;
}
