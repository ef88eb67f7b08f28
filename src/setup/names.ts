import type { Named } from './draft.ts';

const longest = 60;

/** Text from outside on one line, for a terminal or a comment: nothing in it moves the cursor or begins a line. */
export function plain(text: string): string {
  const clean = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()];
  return clean.length > longest ? `${clean.slice(0, longest - 1).join('')}…` : clean.join('');
}

/** What the policy calls a role: its name in Discord, as far as the policy's rules take that, and not one of `taken`. */
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
