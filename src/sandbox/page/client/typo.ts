import { nearestOf } from '../../nearest.ts';
import { kinds, type Offer, type Option } from './commands.ts';
import { add, type Draft, next, set } from './draft.ts';
import { readValues } from './line.ts';

/** A mistyped option: `resaon:x`, as text after the options or inside the value of another one. */
export interface Typo {
  /** `resaon` */
  typed: string;
  meant: Option;
  /** The same with the option that is meant. */
  corrected: Draft;
}

/** The last name with a colon, what is before it, and its value. A sentence has a space after a colon. */
const named = /^(|[\s\S]*\s)([\p{L}_-]+):(\S[\s\S]*|)$/u;

export const isFreeText = ({ kind, completes, choices }: Option): boolean =>
  kind === kinds.text && !completes && choices === undefined;

/** The typo in the value of an option, or in the text after all of them. */
export function typoAt(draft: Draft, command: Offer, at = draft.at): Typo | undefined {
  const value = draft.values[at];
  if (value?.value !== undefined) return undefined;
  const [, before = '', typed = '', rest = ''] = named.exec(value?.text ?? draft.text) ?? [];
  const own = command.options.find(({ name }) => name === value?.name);
  const meant = typed === '' ? undefined : optionNear(typed, command.options);
  if (meant === undefined || (own !== undefined && isFreeText(own) && (meant.name === typed || rest === '')))
    return undefined;
  const kept: Draft = value === undefined ? { ...draft, text: before } : set(draft, value.name, before.trim());
  return { typed, meant, corrected: withValue(kept, meant, rest) };
}

function optionNear(typed: string, options: readonly Option[]): Option | undefined {
  const name = nearestOf(
    typed,
    options.map((one) => one.name),
  );
  return options.find((one) => one.name === name);
}

function withValue(draft: Draft, option: Option, rest: string): Draft {
  const [given] = readValues(`${option.name}:${rest}`).values;
  const there = draft.values.some(({ name }) => name === option.name)
    ? draft
    : { ...add(draft, option), text: draft.text };
  const filled = set(there, option.name, given?.text ?? rest);
  const at = filled.values.findIndex(({ name }) => name === option.name);
  return rest === '' ? { ...filled, at } : next({ ...filled, at: -1 });
}

export const typoText = ({ typed, meant }: Pick<Typo, 'typed' | 'meant'>): string =>
  typed === meant.name
    ? `Did you mean the option ${typed}?`
    : `There is no option ${typed}. Did you mean ${meant.name}?`;

/** The same of a value: in free text it may be meant as it is. */
export function typoProblem(draft: Draft, command: Offer, at: number): string | undefined {
  const typo = typoAt(draft, command, at);
  if (typo === undefined || typo.meant.name === typo.typed) return undefined;
  const own = command.options.find(({ name }) => name === draft.values[at]?.name);
  return `${typoText(typo)}${own !== undefined && isFreeText(own) ? ' If you mean it as text, put a space after the colon.' : ''}`;
}
