import { list, type Markup, md, quote, trusted } from '../card.ts';
import { foldedIn, type Kind, type RunEntry } from '../runs/entry.ts';
import type { Formatter } from './formatter.ts';
import { typedName, typedOptions } from './typed.ts';

const longestAsked = 100;

/** A click by somebody who lacks the permission. */
export const ofPressed = (entry: Kind<'outcome' | 'denied'>, { person }: Formatter): Markup[] =>
  entry.kind === 'outcome' || entry.pressed === undefined
    ? []
    : [md`Pressed ${quote(entry.pressed.button)} on run ${entry.pressed.run} of ${person(entry.pressed.of)}.`];

/** How many denials were folded, and the time range. */
export function ofFolded(entry: RunEntry, { time }: Formatter): Markup[] {
  const folded = foldedIn(entry);
  if (folded === undefined) return [];
  const named = folded.commands.map(({ command, server, pressed, count }) => {
    const asked = server === undefined ? '' : ` ${typedOptions({ server })}`;
    const button = pressed === undefined ? '' : `${pressed} on `;
    return md`${quote(`${button}${typedName(command)}${asked}`, longestAsked)} ×${count}`;
  });
  const others = folded.count - folded.commands.reduce((sum, { count }) => sum + count, 0);
  return [
    md`Counted together, ${time(folded.first)} to ${time(folded.last)}: ${list([...named, ...(others === 0 ? [] : [trusted(`others ×${others}`)])])}.`,
    md`Digest: ${folded.digest}`,
  ];
}
