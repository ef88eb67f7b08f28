import { kinds, type Option } from './commands.ts';
import type { Draft, Value } from './draft.ts';
import { typoProblem } from './typo.ts';

/** What mention options accept: people, channels, roles. */
export interface Named {
  id: string;
  name: string;
}

/** The problems of a command by option name, in the words of Discord's own client. */
export function problems(draft: Draft, namedIn: (kind: number) => readonly Named[]): Map<string, string> {
  const found = new Map<string, string>();
  const { command, values } = draft;
  if (command === undefined) return found;
  for (const option of command.options) {
    const at = values.findIndex((one) => one.name === option.name);
    const value = values[at];
    const problem =
      value === undefined
        ? missing(option)
        : (typoProblem(draft, command, at) ?? problemOf(option, value, namedIn(option.kind)));
    if (problem !== undefined) found.set(option.name, problem);
  }
  return found;
}

const missing = (option: Option): string | undefined =>
  option.required ? 'This option is required. Specify a value.' : undefined;

function problemOf(option: Option, value: Value, named: readonly Named[]): string | undefined {
  const text = value.text.trim();
  if (text === '') return missing(option) ?? 'Specify a value, or remove the option.';
  if (option.choices !== undefined) {
    const fits = option.choices.some((one) => String(one.value) === (value.value ?? text) || one.name === text);
    return fits ? undefined : 'Pick one of the choices.';
  }
  switch (option.kind) {
    case kinds.integer:
    case kinds.number:
      return numberProblem(option, text);
    case kinds.boolean:
      return /^(true|false)$/i.test(text) ? undefined : 'Pick True or False.';
    case kinds.text:
      return lengthProblem(option, value.value ?? value.text);
    default:
      return named.some((one) => one.id === value.value || one.name === text.replace(/^[@#]/, ''))
        ? undefined
        : 'Pick one from the list.';
  }
}

function numberProblem({ kind, min, max }: Option, text: string): string | undefined {
  const form = kind === kinds.integer ? /^-?\d+$/ : /^-?(\d+(\.\d*)?|\.\d+)$/;
  if (!form.test(text)) return kind === kinds.integer ? 'Must be a whole number.' : 'Must be a number.';
  if (min !== undefined && Number(text) < min) return `Must be ${min} or more.`;
  if (max !== undefined && Number(text) > max) return `Must be ${max} or less.`;
  return undefined;
}

function lengthProblem({ min, max }: Option, text: string): string | undefined {
  if (min !== undefined && text.length < min) return `Must be ${min} or more characters long.`;
  if (max !== undefined && text.length > max) return `Must be ${max} or fewer characters long.`;
  return undefined;
}
