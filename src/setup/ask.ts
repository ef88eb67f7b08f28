import * as clack from '@clack/prompts';
import { isBad, type Line, textOf } from '../check/line.ts';
import { type Check, runChecks } from '../check/run.ts';
import { type Reading, readValue } from '../config/value.ts';

/** Somebody pressed Ctrl-C, or chose to stop. */
export class Stopped extends Error {
  constructor() {
    super('setup was stopped');
    this.name = 'Stopped';
  }
}

interface Choice<T> {
  value: T;
  label: string;
  hint?: string;
}

interface Field {
  message: string;
  /** Why a text is invalid. Undefined if it is valid. Never repeats the text. */
  rule(text: string): string | undefined;
  example?: string;
}

/** Lists of this length or more can be filtered by typing. */
const many = 15;
const rows = 12;

/** Asks in the terminal of this process. Every question rejects with Stopped, and gives texts without white space around them. */
export const ask = {
  async text({ before, ...field }: Field & { before?: string | undefined }): Promise<string> {
    return typed(answered(await clack.text({ ...validated(field), initialValue: before })));
  },
  /** Like `text`, of several lines. */
  async lines(field: Field): Promise<string> {
    const message = `${field.message} Two Enters end it.`;
    return typed(answered(await clack.multiline({ ...validated(field), message })));
  },
  /** Like `text`, without showing what is typed. */
  async secret(field: Field): Promise<string> {
    return typed(answered(await clack.password({ ...validated(field), clearOnError: true })));
  },
  /** `before`: the index of the choice to begin with. */
  async one<T>(message: string, choices: readonly Choice<T>[], before = 0): Promise<T> {
    const select = choices.length > many ? clack.autocomplete<number> : clack.select<number>;
    const options = { message, options: byIndex(choices), maxItems: rows, initialValue: before };
    return valueAt(choices, answered(await select(options)));
  },
  /** At least one. `before`: the indexes of the choices that are selected at first. */
  async some<T>(message: string, choices: readonly Choice<T>[], before: readonly number[]): Promise<T[]> {
    const select = choices.length > many ? clack.autocompleteMultiselect<number> : clack.multiselect<number>;
    const options = { message, options: byIndex(choices), maxItems: rows, initialValues: [...before] };
    const chosen = answered(await select({ ...options, required: true }));
    return chosen.toSorted((a, b) => a - b).map((index) => valueAt(choices, index));
  },
  /** Shows a spinner while `work` runs. */
  async during<T>(message: string, work: () => Promise<T>): Promise<T> {
    const spinner = clack.spinner({ cancelMessage: 'Stopped.' });
    spinner.start(message);
    try {
      return await work();
    } finally {
      spinner.stop(message);
    }
  },
  /** Rejects with Stopped unless somebody wants to go on. */
  async again(label: string): Promise<void> {
    const isAgain = await ask.one('What now?', [
      { value: true, label },
      { value: false, label: 'Stop; nothing is written' },
    ]);
    if (!isAgain) throw new Stopped();
  },
  /** What there is to choose from, once there is any. `none`: what to do until then. */
  async until<T>(none: string, first: readonly T[], look: () => Promise<readonly T[]>): Promise<readonly T[]> {
    let found = first;
    while (found.length === 0) {
      ask.bad(none);
      await ask.again('Done: look again');
      found = await look();
    }
    return found;
  },
  good: (text: string): void => clack.log.success(wrapped(text)),
  bad: (text: string): void => clack.log.error(wrapped(text)),
  note: (text: string): void => clack.log.message(wrapped(text)),
  /** A line of its own with nothing around it, to be copied. */
  bare: (text: string): void => void process.stdout.write(`\n${text}\n`),
};

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

const validated = ({ message, rule, example }: Field) => ({
  ...{ message, placeholder: example },
  validate: (text: string | undefined) => rule(typed(text ?? '')),
});

/** Without what does not show: clack takes a Backspace at the beginning for a sign, and a paste brings others. */
export const typed = (text: string): string => text.replace(/[^\P{C}\n\t]/gu, '').trim();

const byIndex = (choices: readonly Choice<unknown>[]) =>
  choices.map(({ label, hint }, value) => ({ value, label, hint }));

function valueAt<T>(choices: readonly Choice<T>[], index: number): T {
  const choice = choices[index];
  if (choice === undefined) throw new RangeError('a choice that was not offered');
  return choice.value;
}

/** Runs checks of `panelops check` on what setup has found, and says what is not as it should be. Returns those lines. */
export async function judge<Seen>(checks: readonly Check<Seen>[], probes: Seen): Promise<readonly Line[]> {
  const lines = await runChecks(checks, probes);
  const bad = lines.filter(isBad);
  for (const line of bad) ask.bad(textOf(line));
  return bad;
}

/** A token: its name, the existing one, whether that one was just typed, and how to read it. */
export interface TokenField {
  what: string;
  before: string | undefined;
  isTyped: boolean;
  read(text: string): Reading;
}

/** The existing token, or a new one that is typed. */
export async function askToken(field: TokenField): Promise<string> {
  const { what, before, isTyped } = field;
  if (before === undefined) return await typeToken(field);
  const kept = await ask.one(`${what}: ${isTyped ? 'you gave one already' : 'it is in .env'}.`, [
    { value: before, label: isTyped ? 'Keep it' : 'Keep the one in .env' },
    { value: undefined, label: 'Type another' },
  ]);
  return kept ?? (await typeToken(field));
}

export const typeToken = ({ what, read }: TokenField): Promise<string> =>
  ask.secret({
    message: `${what} (what you type or paste stays hidden)`,
    rule: (text) => (text === '' ? 'It is empty. Paste the token.' : ruleOf(readValue(text, read))),
  });

export const ruleOf = (reading: Reading): string | undefined => ('rule' in reading ? reading.rule : undefined);
