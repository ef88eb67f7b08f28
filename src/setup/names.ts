import type { Named } from './draft.ts';

const longest = 60;

/** Text from outside on one line, for a terminal or a comment: nothing in it moves the cursor or begins a line. */
export function plain(text: string): string {
  const clean = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()];
  return clean.length > longest ? `${clean.slice(0, longest - 1).join('')}…` : clean.join('');
}

/** A role's name in the policy: its name in Discord, made valid, and different from all in `taken`. */
export function labelOf({ id, name }: Named, taken: readonly string[]): string {
  const label = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^[ ._-]+/, '')
    .slice(0, 32)
    .trim();
  if (label === '' || label.toLowerCase() === 'everyone') return `role-${id}`;
  return taken.includes(label) ? `${label.slice(0, 12).trim()}-${id}` : label;
}
