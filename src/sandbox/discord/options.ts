import { nearestOf } from '../nearest.ts';
import { memberObject, type Person, permissionsOf, roleObject, userObject } from './guild.ts';
import type { TypedLine } from './line.ts';
import { botRights, placeObject } from './places.ts';
import { ClientRefusal } from './refusal.ts';
import { RIGHTS } from './rights.ts';
import type { CommandOption } from './shapes.ts';
import type { Command, World } from './world.ts';

const TYPE = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
};

const PICKED = [TYPE.user, TYPE.channel, TYPE.role, TYPE.mentionable];

export interface Found {
  command: Command;
  /** The path of the subcommand below the command: none, one or two steps. */
  path: CommandOption[];
  options: CommandOption[];
  /** `/firewall flush` */
  name: string;
}

/** Finds a typed command among those registered that this person's client offers. */
export function findCommand(world: World, person: Person, { words }: TypedLine): Found {
  const offered = offeredTo(world, person, 1);
  const [first = '', ...rest] = words;
  const command = offered.find((one) => one.name === first);
  if (!command) {
    const known = offered.map((one) => `/${one.name}`).join(', ');
    const list = known === '' ? 'There are no commands yet.' : `The commands are: ${known}.`;
    throw new ClientRefusal(`/${first}: there is no such command.${didYouMean(nearCommands(offered, words))} ${list}`);
  }
  const path: CommandOption[] = [];
  let name = `/${command.name}`;
  let options: CommandOption[] = command.options ?? [];
  while (options.some((option) => option.type === TYPE.subcommand || option.type === TYPE.group)) {
    const word = rest.shift();
    const next = options.find((option) => option.name === word);
    if (!next) {
      const known = options.map((option) => option.name);
      const nearby = nearestOf(word ?? '', known);
      const suggestion = didYouMean(nearby === undefined ? [] : [`${name} ${nearby}`]);
      throw new ClientRefusal(
        `${name}${word === undefined ? '' : ` ${word}`}: ${name} is followed by one of: ${known.join(', ')}.${suggestion}`,
      );
    }
    path.push(next);
    name += ` ${next.name}`;
    options = next.options ?? [];
  }
  const [extra] = rest;
  if (extra !== undefined) throw new ClientRefusal(`${extra}: options are given as name:value.${optionList(options)}`);
  return { command, path, options, name };
}

const maxNear = 3;

/** The command with nearly that name; else those with these words in their names or descriptions. */
function nearCommands(offered: readonly Command[], words: readonly string[]): string[] {
  const all = offered.flatMap((one) => leaves(`/${one.name}`, one.description, one.options ?? []));
  const [first = ''] = words;
  const near = nearestOf(
    first,
    offered.map((one) => one.name),
  );
  if (near !== undefined) {
    const line = [`/${near}`, ...words.slice(1)].join(' ');
    return [all.find(({ name }) => name === line)?.name ?? `/${near}`];
  }
  const word = first.toLowerCase();
  const has = (text: string): boolean =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .includes(word);
  return all.flatMap((one) => (has(`${one.name} ${one.description}`) ? [one.name] : [])).slice(0, maxNear);
}

/** Each command that can be typed, below one. */
function leaves(name: string, description: string, options: readonly CommandOption[]): NamedCommand[] {
  const below = options.filter(({ type }) => type === TYPE.subcommand || type === TYPE.group);
  return below.length === 0
    ? [{ name, description }]
    : below.flatMap((one) => leaves(`${name} ${one.name}`, one.description ?? '', one.options ?? []));
}

interface NamedCommand {
  name: string;
  description: string;
}

/** "a, b or c" */
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** " Did you mean `server`?" Empty where nothing is near. */
const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${either.format(names.map((name) => `\`${name}\``))}?`;

/** Commands of one type (1 slash, 3 message) that this person's client offers. */
export function offeredTo(world: World, person: Person, type: 1 | 3): Command[] {
  return world.commands.filter((command) => command.type === type && maySee(world, person, command));
}

function maySee(world: World, person: Person, command: Command): boolean {
  if (command.default_member_permissions == null) return true;
  const needed = BigInt(command.default_member_permissions);
  const has = permissionsOf(world.guild, person);
  // "0" hides a command from everybody except administrators.
  return (has & RIGHTS.administrator) !== 0n || (needed !== 0n && (has & needed) === needed);
}

function optionList(options: CommandOption[]): string {
  return options.length === 0
    ? ' This command has no options.'
    : ` The options are: ${options.map((one) => one.name).join(', ')}.`;
}

/** The interaction's `data`, with every option validated as a client does before sending. */
export function commandData(world: World, found: Found, given: Map<string, string>): Record<string, unknown> {
  refuseUnknown(found, given);
  for (const option of found.options) {
    if (option.required && !given.get(option.name)) {
      throw new ClientRefusal(`${option.name}: This option is required. Specify a value.`);
    }
  }
  const resolved: Resolved = {};
  const values = [...given].map(([name, text]) => {
    const option = optionOf(found, name);
    return { name, type: option.type, value: readValue(world, option, text, resolved) };
  });
  return { ...nested(world, found, values), ...(Object.keys(resolved).length > 0 && { resolved }) };
}

/** The `data` of an autocomplete interaction: unvalidated text, one option in focus; users and roles as ids. */
export function autocompleteData(world: World, found: Found, given: Map<string, string>, focused: string) {
  refuseUnknown(found, given);
  const option = optionOf(found, focused);
  if (!option.autocomplete) throw new ClientRefusal(`${focused}: this option has no autocomplete.`);
  const all = new Map(given).set(focused, given.get(focused) ?? '');
  const values = [...all].map(([name, text]) => {
    const { type } = optionOf(found, name);
    const picked = PICKED.includes(type) ? resolve(world, type, text, {}) : undefined;
    return { name, type, value: picked ?? text, ...(name === focused && { focused: true }) };
  });
  return nested(world, found, values);
}

function refuseUnknown(found: Found, given: Map<string, string>): void {
  for (const name of given.keys()) {
    optionOf(found, name);
  }
}

function optionOf(found: Found, name: string): CommandOption {
  const option = found.options.find((one) => one.name === name);
  if (option) return option;
  const known = found.options.map((one) => one.name);
  const near = nearestOf(name, known);
  const suggestion = didYouMean(near === undefined ? [] : [near]);
  throw new ClientRefusal(`${name}: ${found.name} has no such option.${suggestion}${optionList(found.options)}`);
}

function nested(world: World, { command, path }: Found, values: object[]) {
  const options = path.reduceRight((inner, { name, type }) => [{ name, type, options: inner }], values);
  const head = { id: command.id, name: command.name, type: 1, guild_id: world.guild.id };
  return options.length === 0 ? head : { ...head, options };
}

interface Resolved {
  users?: Record<string, unknown>;
  members?: Record<string, unknown>;
  roles?: Record<string, unknown>;
  channels?: Record<string, unknown>;
}

function readValue(world: World, option: CommandOption, text: string, resolved: Resolved): string | number | boolean {
  const refuse = (why: string) => new ClientRefusal(`${option.name}: ${why}`);
  if (text === '') throw refuse('Specify a value.');
  if (option.choices) return choiceOf(option, text);
  switch (option.type) {
    case TYPE.string:
      return stringOf(option, text);
    case TYPE.integer:
    case TYPE.number:
      return numberOf(option, text);
    case TYPE.boolean:
      if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
      throw refuse('must be true or false.');
    case TYPE.user:
    case TYPE.channel:
    case TYPE.role:
    case TYPE.mentionable: {
      const id = resolve(world, option.type, text, resolved);
      if (id !== undefined) return id;
      throw refuse(`there is no ${text} here.`);
    }
    default:
      throw refuse('this kind of option cannot be typed here.');
  }
}

function choiceOf(option: CommandOption, text: string): string | number {
  const choices = option.choices ?? [];
  const choice =
    choices.find((one) => String(one.value) === text) ??
    choices.find((one) => one.name.toLowerCase() === text.toLowerCase());
  if (choice) return choice.value;
  throw new ClientRefusal(`${option.name}: must be one of: ${choices.map((one) => one.name).join(', ')}.`);
}

function stringOf(option: CommandOption, text: string): string {
  const { min_length: min = 0, max_length: max = 6000 } = option;
  if (text.length < min || text.length > max) {
    throw new ClientRefusal(`${option.name}: must be ${min} to ${max} characters long, and is ${text.length}.`);
  }
  return text;
}

function numberOf(option: CommandOption, text: string): number {
  const whole = option.type === TYPE.integer;
  const form = whole ? /^-?\d+$/ : /^-?(\d+(\.\d*)?|\.\d+)$/;
  const value = Number(text);
  if (!form.test(text) || Math.abs(value) > 2 ** 53) {
    throw new ClientRefusal(`${option.name}: must be a ${whole ? 'whole number' : 'number'}.`);
  }
  const { min_value: min, max_value: max } = option;
  if (min !== undefined && value < min) throw new ClientRefusal(`${option.name}: must be ${min} or more.`);
  if (max !== undefined && value > max) throw new ClientRefusal(`${option.name}: must be ${max} or less.`);
  return value;
}

// Accepts `@alice`, `alice`, `<@id>` or the id; likewise for roles and channels.
function resolve(world: World, type: number, text: string, resolved: Resolved): string | undefined {
  const { guild } = world;
  const plain = text.replace(/^<(.*)>$/, '$1').replace(/^(@[!&]?|#)/, '');
  const fits = (one: { id: string; name: string }) => one.id === plain || one.name === plain;
  if (type === TYPE.channel) {
    const channel = guild.channels.find(fits) ?? guild.threads.findLast(fits);
    if (channel) {
      const permissions = botRights(world, channel).toString();
      resolved.channels = {
        ...resolved.channels,
        [channel.id]: { ...placeObject(world, channel), permissions },
      };
    }
    return channel?.id;
  }
  const person = type === TYPE.role ? undefined : [...guild.people, guild.bot].find(fits);
  if (person) {
    const permissions = permissionsOf(guild, person).toString();
    resolved.users = { ...resolved.users, [person.id]: userObject(guild, person) };
    resolved.members = { ...resolved.members, [person.id]: { ...memberObject(person), permissions } };
    return person.id;
  }
  const role = type === TYPE.user ? undefined : guild.roles.find(fits);
  if (role) resolved.roles = { ...resolved.roles, [role.id]: roleObject(guild, role) };
  return role?.id;
}
