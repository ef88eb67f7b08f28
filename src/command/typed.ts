import { nearestIs } from '../nearest.ts';
import { type Actor, Invalid, type RawOptions } from '../outcome.ts';
import type { Command } from './command.ts';
import type { OptionSpec } from './option.ts';

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
