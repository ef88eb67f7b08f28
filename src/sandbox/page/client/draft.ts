import type { Offer, Option } from './commands.ts';
import { readValues, written } from './line.ts';

/** What stands behind an option. `value` is sent where a suggestion was picked, whose name is the text. */
export interface Value {
  name: string;
  text: string;
  value?: string;
}

/** What is being composed: plain text, or a command with its options one by one. */
export interface Draft {
  /** Plain text, or with a command what is typed behind its options. */
  text: string;
  command?: Offer;
  values: readonly Value[];
  /** Which of the values is being written; their number is the place behind them. */
  at: number;
  /** Whether sending was tried: only then what is wrong is told. */
  tried: boolean;
}

export const emptyDraft: Draft = { text: '', values: [], at: 0, tried: false };

/** What was typed. A command's whole name with a space behind it becomes the command, and what follows its options. */
export function typed(draft: Draft, text: string, offers: readonly Offer[]): Draft {
  if (draft.command !== undefined) return typedBehind({ ...draft, text }, draft.command);
  const named = offers
    .filter((offer) => text.startsWith(`/${offer.name} `))
    .sort((a, b) => b.name.length - a.name.length);
  const [offer] = named;
  if (offer === undefined) return { ...emptyDraft, text };
  const after = text.slice(offer.name.length + 2);
  const given = readValues(after);
  if (after.trim() === '' || given.values.length === 0) return pick(offer);
  const filled = given.values.reduce((all, { name, text: value }) => set(all, name, value), pick(offer));
  return next({ ...filled, text: given.rest, at: -1 });
}

/** `name:` behind the options adds the option of that name. */
function typedBehind(draft: Draft, command: Offer): Draft {
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

/** Writes a value; an option that is not there yet comes in. */
export function set(draft: Draft, name: string, text: string, value?: string): Draft {
  const written: Value = { name, text, ...(value !== undefined && { value }) };
  if (!draft.command?.options.some((option) => option.name === name)) return draft;
  return draft.values.some((one) => one.name === name)
    ? { ...draft, values: draft.values.map((one) => (one.name === name ? written : one)) }
    : { ...draft, values: [...draft.values, written] };
}

/** What was typed into an option. Its own name before it falls away, and the name of another one with a colon leads there. */
export function typedInto(draft: Draft, name: string, text: string): Draft {
  const own = text === `${name}:` ? '' : text;
  const [, value = '', other] = /^([\s\S]*)\s([^\s:]+):$/.exec(own) ?? [];
  const option = draft.command?.options.find((one) => one.name === other && one.name !== name);
  if (option === undefined) return set(draft, name, own);
  const written = set(draft, name, value.trim());
  const at = written.values.findIndex((one) => one.name === option.name);
  return at === -1 ? add(written, option) : { ...written, at };
}

/** On to the next option that still wants a value, else behind them all. */
export function next(draft: Draft): Draft {
  const waiting = draft.values.findIndex((value, i) => i > draft.at && value.text === '');
  return { ...draft, at: waiting === -1 ? draft.values.length : waiting };
}

export function add(draft: Draft, option: Option): Draft {
  return { ...draft, text: '', values: [...draft.values, { name: option.name, text: '' }], at: draft.values.length };
}

/** Takes an option out; from the first one, or with none, the command's name becomes text again. */
export function remove(draft: Draft, at: number): Draft {
  if (draft.command === undefined) return draft;
  const before = at - 1;
  if (before < 0 && draft.values.length <= 1) return { ...emptyDraft, text: `/${draft.command.name}` };
  return { ...draft, values: draft.values.filter((_, i) => i !== at), at: Math.max(before, 0) };
}

export const optionAt = (draft: Draft, at = draft.at): Option | undefined =>
  draft.command?.options.find((option) => option.name === draft.values[at]?.name);

/** The options that are not there yet. */
export const left = (draft: Draft, command: Offer): Option[] =>
  command.options.filter((option) => !draft.values.some((value) => value.name === option.name));

/** As one line, which is what is sent. Options without a value are left out. */
export function lineOf(draft: Draft): string {
  if (draft.command === undefined) return draft.text;
  const given = draft.values.filter(({ text }) => text !== '');
  return [`/${draft.command.name}`, ...given.map((one) => `${one.name}:${written(one.value ?? one.text)}`)].join(' ');
}
