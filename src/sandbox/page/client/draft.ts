import type { Offer, Option } from './commands.ts';
import { readValues, written } from './line.ts';

/** The text of an option. `value` is sent instead if the text is the name of a picked suggestion. */
export interface Value {
  name: string;
  text: string;
  value?: string;
}

/** The current input: plain text, or a command with its options. */
export interface Draft {
  /** Plain text; with a command, the text after its options. */
  text: string;
  command?: Offer;
  values: readonly Value[];
  /** The index of the active value; the number of values means the text after them. */
  at: number;
  /** Whether the person tried to send: problems appear only then. */
  tried: boolean;
}

export const emptyDraft: Draft = { text: '', values: [], at: 0, tried: false };

/** Applies typed text. A command's full name followed by a space becomes the command, and the rest its options. */
export function typed(draft: Draft, text: string, offers: readonly Offer[]): Draft {
  if (draft.command !== undefined) return typedAfterOptions({ ...draft, text }, draft.command);
  const named = offers
    .filter((offer) => text.startsWith(`/${offer.name} `))
    .sort((a, b) => b.name.length - a.name.length);
  const [offer] = named;
  if (offer === undefined) return { ...emptyDraft, text };
  const after = text.slice(offer.name.length + 2);
  const given = readValues(after);
  if (after.trim() === '' || given.values.length === 0) return pick(offer);
  const filled = given.values.reduce((all, { name, text: value }) => set(all, name, value), pick(offer));
  // What is no option stays in sight.
  const unknown = given.values
    .filter(({ name }) => !offer.options.some((option) => option.name === name))
    .map(({ name, text: value }) => `${name}:${written(value)}`);
  const over = [...unknown, given.rest].filter((part) => part !== '').join(' ');
  return over === '' ? next({ ...filled, at: -1 }) : { ...filled, text: over, at: filled.values.length };
}

/** `name:` after the options adds that option. */
function typedAfterOptions(draft: Draft, command: Offer): Draft {
  const [, name, rest = ''] = /^\s*([^\s:]+):(.*)$/.exec(draft.text) ?? [];
  const option = left(draft, command).find((one) => one.name === name);
  if (option === undefined) return draft;
  const given = readValues(`${name}:${rest}`);
  const [first] = given.values;
  return set({ ...add(draft, option), text: given.rest }, option.name, first?.text ?? '');
}

/** A command with its required options waiting to be filled in. */
export function pick(command: Offer): Draft {
  const values = command.options.filter((option) => option.required).map(({ name }) => ({ name, text: '' }));
  return { text: '', command, values, at: 0, tried: false };
}

/** A command with values for some options, ready to be sent. */
export function filled(command: Offer, given: Readonly<Record<string, string>>): Draft {
  return next(
    Object.entries(given).reduce((draft, [name, text]) => set(draft, name, text), { ...pick(command), at: -1 }),
  );
}

/** Sets a value; adds the option if it is missing. */
export function set(draft: Draft, name: string, text: string, value?: string): Draft {
  const written: Value = { name, text, ...(value !== undefined && { value }) };
  if (!draft.command?.options.some((option) => option.name === name)) return draft;
  return draft.values.some((one) => one.name === name)
    ? { ...draft, values: draft.values.map((one) => (one.name === name ? written : one)) }
    : { ...draft, values: [...draft.values, written] };
}

/** Applies text typed into an option. The name of another option with a colon moves there. */
export function typedInto(draft: Draft, name: string, text: string): Draft {
  const own = text === `${name}:` ? '' : text;
  const [, value = '', other] = /^([\s\S]*)\s([^\s:]+):$/.exec(own) ?? [];
  const option = draft.command?.options.find((one) => one.name === other && one.name !== name);
  if (option === undefined) return set(draft, name, own);
  const written = set(draft, name, value.trim());
  const at = written.values.findIndex((one) => one.name === option.name);
  return at === -1 ? add(written, option) : { ...written, at };
}

/** Moves to the next option without a value, else after all of them. */
export function next(draft: Draft): Draft {
  const waiting = draft.values.findIndex((value, i) => i > draft.at && value.text === '');
  return { ...draft, at: waiting === -1 ? draft.values.length : waiting };
}

export function add(draft: Draft, option: Option): Draft {
  return { ...draft, text: '', values: [...draft.values, { name: option.name, text: '' }], at: draft.values.length };
}

/** Removes an option. From the first one, or without options, turns the command's name into text again. */
export function remove(draft: Draft, at: number): Draft {
  if (draft.command === undefined) return draft;
  const before = at - 1;
  if (before < 0 && draft.values.length <= 1) return { ...emptyDraft, text: `/${draft.command.name}` };
  return { ...draft, values: draft.values.filter((_, i) => i !== at), at: Math.max(before, 0) };
}

export const optionAt = (draft: Draft, at = draft.at): Option | undefined =>
  draft.command?.options.find((option) => option.name === draft.values[at]?.name);

export const left = (draft: Draft, command: Offer): Option[] =>
  command.options.filter((option) => !draft.values.some((value) => value.name === option.name));

/** The line to send. Options without a value are omitted. */
export function lineOf(draft: Draft): string {
  if (draft.command === undefined) return draft.text;
  const given = draft.values.filter(({ text }) => text !== '');
  return [`/${draft.command.name}`, ...given.map((one) => `${one.name}:${written(one.value ?? one.text)}`)].join(' ');
}
