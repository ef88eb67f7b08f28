import type { Choice, SuggestContext } from '../src/command.ts';
import type { RawOptions } from '../src/outcome.ts';
import { pieces } from './options.ts';

/** How many of the server's changes to search. */
const lately = 100;
/** Discord's limits: for the number of choices, and for a value. */
const maxChoices = 25;
const maxValue = 100;

/** What changes of the typed server had in these options, newest first; nothing for a server that is not theirs. */
export function seen({ records, find, options }: SuggestContext, of: (options: RawOptions) => string[]): string[] {
  const target = find(String(options['server'] ?? ''));
  if (target === undefined) return [];
  const outcomes = records.outcomes(target.id);
  const values = new Set<string>();
  for (let at = outcomes.length - 1; at >= Math.max(0, outcomes.length - lately); at -= 1) {
    const entry = outcomes.at(at);
    if (entry?.outcome !== 'succeeded' && entry?.outcome !== 'accepted') continue;
    for (const value of [...of(entry.options), ...of(entry.undo?.options ?? {})]) values.add(value);
  }
  return [...values];
}

/** Completes the last of several values with commas, and keeps the others. A value may be several itself: `0,1`. */
export function completed(typed: string, values: readonly string[]): Choice[] {
  const cut = typed.lastIndexOf(',') + 1;
  const before = pieces(typed.slice(0, cut));
  const start = typed.slice(cut).trim().toLowerCase();
  return values
    .filter((value) => value.toLowerCase().startsWith(start) && !pieces(value).some((piece) => before.includes(piece)))
    .map((value) => [...before, value].join(','))
    .filter((value) => value.length <= maxValue)
    .slice(0, maxChoices)
    .map((value) => ({ name: value, value }));
}
