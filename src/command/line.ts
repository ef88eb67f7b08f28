import { type Actor, Invalid, type RawOptions } from '../outcome.ts';
import { nearestIs } from '../text.ts';
import type { Command } from './command.ts';
import type { OptionSpec } from './option.ts';

/** `server:web-1`, `reason:"lost update"`: an option as people type it. */
export const written = (name: string, value: RawOptions[string]): string =>
  `${name}:${/[\s"]/.test(String(value)) ? JSON.stringify(value) : value}`;

/** `/firewall flush server:web-1`: a whole line, ready to be typed. */
export const lineOf = ({ id }: Pick<Command, 'id'>, options: RawOptions): string =>
  [`/${id.replace('.', ' ')}`, ...Object.entries(options).map(([name, value]) => written(name, value))].join(' ');

/** Stands for a server that nobody typed: an example that is copied must not reach one. */
const anyServer = 'NAME';
const maxKept = 60;

/** What was typed, or else the command's own example; with an example of that option in its place. */
export function exampleWith(command: Exemplified, name: string, typed: RawOptions = {}): string {
  const own = given(command.example);
  const base = Object.keys(typed).length === 0 ? Object.fromEntries(own) : typed;
  const shownFor = (option: string): RawOptions[string] | undefined => {
    const value = typed[option];
    if (option !== name && value !== undefined && String(value).length <= maxKept) return value;
    if (option === 'server') return anyServer;
    const spec = command.options[option];
    return (
      own.get(option) ?? spec?.example ?? spec?.choices?.[0]?.value ?? (spec?.type === 'boolean' ? false : spec?.min)
    );
  };
  const needed = Object.keys(command.options).filter((option) => command.options[option]?.required);
  const shown = [...new Set([...needed, ...Object.keys(base), name])].filter(
    (option) => option === name || needed.includes(option) || String(base[option]).length <= maxKept,
  );
  const values = shown.flatMap((option): [string, RawOptions[string]][] => {
    const value = shownFor(option);
    return value === undefined ? [] : [[option, value]];
  });
  return lineOf(command, Object.fromEntries(values));
}

type Exemplified = Pick<Command, 'id' | 'example' | 'options'>;

/** The options of an example. */
const given = (example: string): Map<string, string> =>
  new Map(
    [...example.matchAll(/ ([\w-]+):(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, bare]) => [
      name,
      quoted ?? bare ?? '',
    ]),
  );

/** What an option is, as people read it. A time is of the team's zone. */
export const described = ({ description, isTime }: Pick<OptionSpec, 'description' | 'isTime'>, zone: string): string =>
  isTime === undefined ? description : `${description} (${zone})`;

const part = /([a-z][a-z-]*):(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|(\S*))|(\S+)/gu;

/** A command as it was typed: its id, its options, and the people that they name. */
export interface Line {
  command: string;
  options: RawOptions;
  people: Actor[];
}

/** Reads `power restart server:web-1 reason:"two words"`, with or without a slash. Throws Invalid. */
export function readLine(
  commands: readonly Command[],
  line: string,
  personOf: (text: string) => Actor | undefined,
): Line {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (const [, name, quoted, bare, word = ''] of line.trim().replace(/^\//, '').matchAll(part)) {
    if (name === undefined) {
      if (options.size > 0) throw new Invalid(word, 'put a value with spaces in quotes: reason:"two words"');
      words.push(word);
    } else if (quoted === undefined && bare?.startsWith('"'))
      throw new Invalid(name, 'its quotation mark is not closed');
    else if (options.has(name)) throw new Invalid(name, 'it is there twice');
    else options.set(name, quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '');
  }
  const id = words.join('.');
  const command = commands.find((each) => each.id === id && each.menu === undefined);
  if (command === undefined) throw new Invalid(words.join(' ') || 'the line', noCommand(commands, id));
  const people: Actor[] = [];
  const read = ([name, text]: [string, string]): [string, string | number | boolean] => {
    const spec = command.options[name];
    if (spec === undefined)
      throw new Invalid(name, `this command has no such option. It has: ${Object.keys(command.options).join(', ')}`);
    if (spec.type !== 'user') return [name, typedAs(name, spec, text)];
    const person = personOf(text);
    if (person === undefined) throw new Invalid(name, 'an account under shell.people in the policy, or a Discord id');
    people.push(person);
    return [name, person.id];
  };
  return { command: id, options: Object.fromEntries([...options].map(read)), people };
}

function noCommand(commands: readonly Command[], id: string): string {
  const ids = commands.filter(({ menu }) => menu === undefined).map((each) => each.id);
  const known = ids.map((each) => each.replace('.', ' '));
  return `there is no such command.${nearestIs(id.replace('.', ' '), known)} help lists yours`;
}

/** As Discord would send it. */
function typedAs(name: string, { type, choices, min, max }: OptionSpec, text: string): string | number | boolean {
  const choice = choices?.find((each) => [String(each.value), each.name].includes(text));
  if (choice !== undefined) return choice.value;
  if (choices !== undefined) throw new Invalid(name, `one of: ${choices.map(({ value }) => value).join(', ')}`);
  if (type === 'boolean') {
    if (!/^(?:true|false)$/i.test(text)) throw new Invalid(name, 'true or false');
    return text.toLowerCase() === 'true';
  }
  if (type === 'string') {
    if (text === '' || text.length > (max ?? 6000)) throw new Invalid(name, `1 to ${max ?? 6000} characters`);
    return text;
  }
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value < (min ?? value) || value > (max ?? value))
    throw new Invalid(
      name,
      `a whole number${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`,
    );
  return value;
}
