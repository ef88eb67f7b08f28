import * as clack from '@clack/prompts';
import { type Ask, type Choice, type Rule, Stopped } from './ask.ts';

/** Lists of this length or more can be filtered by typing. */
const many = 15;
const rows = 12;

/** Asks in the terminal of this process. */
export function askInTerminal(): Ask {
  return {
    async text({ message, rule, before, example }) {
      const options = { message, ...validated(rule), initialValue: before, placeholder: example };
      return typed(answered(await clack.text(options)));
    },
    async lines({ message, rule, example }) {
      const ended = `${message} Two Enters end it.`;
      return typed(answered(await clack.multiline({ message: ended, ...validated(rule), placeholder: example })));
    },
    async secret({ message, rule }) {
      return typed(answered(await clack.password({ message, clearOnError: true, ...validated(rule) })));
    },
    async one(message, choices, before = 0) {
      const select = choices.length > many ? clack.autocomplete<number> : clack.select<number>;
      const options = { message, options: byIndex(choices), maxItems: rows, initialValue: before };
      return valueAt(choices, answered(await select(options)));
    },
    async some(message, choices, before) {
      const select = choices.length > many ? clack.autocompleteMultiselect<number> : clack.multiselect<number>;
      const options = { message, options: byIndex(choices), maxItems: rows, initialValues: [...before] };
      const chosen = answered(await select({ ...options, required: true }));
      return chosen.toSorted((a, b) => a - b).map((index) => valueAt(choices, index));
    },
    async during(message, work) {
      const spinner = clack.spinner({ cancelMessage: 'Stopped.' });
      spinner.start(message);
      try {
        return await work();
      } finally {
        spinner.stop(message);
      }
    },
    good: (text) => clack.log.success(wrapped(text)),
    bad: (text) => clack.log.error(wrapped(text)),
    note: (text) => clack.log.message(wrapped(text)),
    bare: (text) => void process.stdout.write(`\n${text}\n`),
  };
}

/** Beside the line that clack draws at the left. */
const margin = 4;

/** Broken between words, for a terminal of this width. */
export function wrapped(text: string, columns = process.stdout.columns || 80): string {
  const line = new RegExp(`(?=.{${columns - margin},})(.{1,${columns - margin - 1}})[ ]+`, 'g');
  return text.replace(line, '$1\n');
}

function answered<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) throw new Stopped();
  return answer;
}

const validated = (rule: Rule) => ({ validate: (text: string | undefined) => rule(typed(text ?? '')) });

/** Without what does not show: clack takes a Backspace at the beginning for a sign, and a paste brings others. */
export const typed = (text: string): string => text.replace(/[^\P{C}\n\t]/gu, '').trim();

const byIndex = (choices: readonly Choice<unknown>[]) =>
  choices.map(({ label, hint }, value) => ({ value, label, hint }));

function valueAt<T>(choices: readonly Choice<T>[], index: number): T {
  const choice = choices[index];
  if (choice === undefined) throw new RangeError('a choice that was not offered');
  return choice.value;
}
