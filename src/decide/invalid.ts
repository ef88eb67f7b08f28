import { block, type Card, type Markup, md, quote, trusted } from '../card.ts';
import { note } from '../cards/render/parts.ts';
import { type Command, exampleWith, lineOf, type View, written } from '../command.ts';
import type { Invalid, RawOptions } from '../outcome.ts';
import { nameOf, nothingDone } from './notes.ts';

const maxMarkedLength = 80;

/** The option as it was typed: the part of the line that is wrong. */
const marked = (typed: RawOptions, option: string): Markup => {
  const value = typed[option];
  return quote(value === undefined ? option : written(option, value), maxMarkedLength);
};

/** The line as it was typed, to be copied, so that nobody has to type it again. A command alone is typed soon enough. */
const again = (command: Command, typed: RawOptions): Markup[] =>
  Object.keys(typed).length === 0 ? [] : [block(lineOf(command, typed))];

const maxExampleLength = 300;

/** What was typed, with an example of the option that is wrong. */
const example = (command: Command, option: string, typed: RawOptions): Markup =>
  md`For example: ${quote(exampleWith(command, option, typed), maxExampleLength)}`;

/** An option breaks a rule. */
export function invalidCard(command: Command, { option, rule, meant }: Invalid, typed: RawOptions): Card {
  const fact = md`${marked(typed, option)}: ${trusted(/[.?]$/.test(rule) ? rule : `${rule}.`)}`;
  if (meant !== undefined)
    return {
      ...note('invalid', nameOf(command), fact, ...again(command, meant), trusted(nothingDone(command))),
      next: [trusted('Copy this line if that is what you meant. If it is text, put a space after the colon.')],
    };
  return {
    ...note('invalid', nameOf(command), fact, ...again(command, typed), trusted(nothingDone(command))),
    next: [example(command, option, typed)],
  };
}

/** The same where the command itself finds out. Any other view is given back as it is. */
export function withLine(view: View, command: Command, typed: RawOptions): View {
  if (view.outcome !== 'invalid') return view;
  const { fact: given, wrong, nextSteps = [], ...rest } = view;
  const [first, ...others] = given === undefined ? view.body : [given, ...view.body];
  if (first === undefined) return view;
  const said = wrong === undefined ? first : md`${marked(typed, wrong)}: ${first}`;
  return {
    ...rest,
    body: [said, ...others, ...again(command, typed)],
    nextSteps: [...nextSteps, ...(wrong === undefined ? [] : [example(command, wrong, typed)])],
  };
}
