import type { Choice, Names } from '../src/command.ts';
import { didYouMean, isTypoOf } from '../src/text.ts';

/** Something of the panel that the policy may have a name for. */
export interface Named {
  id: number;
  name?: string;
}

/** By id or by name, in upper or lower case. */
export function namedIn(names: Names, text: string): Named | undefined {
  const typed = text.trim().toLowerCase();
  const id = Object.keys(names).find((each) => names[each]?.toLowerCase() === typed) ?? typed;
  if (!/^[1-9]\d*$/.test(id) || !Number.isSafeInteger(Number(id))) return undefined;
  const name = names[id];
  return { id: Number(id), name };
}

/** " Did you mean `ssh-only`?", where a name of the policy is near. */
export const nearIn = (names: Names, text: string): string =>
  didYouMean(Object.values(names).filter((name) => isTypoOf(text.trim().toLowerCase(), name.toLowerCase())));

/** "ssh-only (1)", or "1". The policy's schema allows only letters, digits, dots and hyphens in names. */
export const nameOf = ({ id, name }: Named): string => (name === undefined ? String(id) : `${name} (${id})`);

export const suggestNamed = (names: Names, typed: string): Choice[] =>
  Object.entries(names)
    .filter(([id, name]) => `${id} ${name}`.toLowerCase().includes(typed.trim().toLowerCase()))
    .slice(0, 25)
    .map(([id, name]) => ({ name: `${name} (${id})`, value: id }));
