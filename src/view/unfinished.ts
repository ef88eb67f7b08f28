import { capitalized, joined, linkTo, list, type Markup, md, quote, trusted } from '../card.ts';
import type { RunEntry } from '../runs/entry.ts';
import { advance, isGlass, isUnknown, mayStillRun, messageOf, type RunState } from '../runs/state.ts';
import { type Run, runsOf, waitingIn } from './select.ts';
import { serverOf, typedName } from './words.ts';

/** What is known of a run from these entries. */
const stateOf = (entries: readonly RunEntry[]): RunState =>
  entries.reduce<RunState>(advance, { run: entries[0]?.run ?? '' });

/** One sentence for each kind of unfinished run: running, waiting, unknown. `file`: commands as code, as the rest of it. */
export function unfinished(entries: readonly RunEntry[], file?: 'file'): Markup[] {
  const runs = runsOf(entries).map((run) => ({ ...run, state: stateOf(run.entries) }));
  const groups: (readonly [string, readonly Run[]])[] = [
    ['still running', runs.filter(({ state: { followUp } }) => followUp !== undefined && followUp.ended === undefined)],
    ['no longer followed, and may still run', runs.filter(({ state }) => mayStillRun(state))],
    ...waitingIn(runs),
    ['unknown, and nobody has said what became of it', runs.filter(({ state }) => isUnknown(state))],
  ];
  return groups.flatMap(([words, some]) => (some.length === 0 ? [] : [told(words, some, file)]));
}

/** "/backup restore web-1 (101) ([card](…))" */
function name({ first, entries }: Run, file: 'file' | undefined): Markup {
  const typed = file === undefined ? trusted(typedName(first.command)) : quote(typedName(first.command));
  const on = first.server === undefined ? [] : [serverOf(first.server)];
  const at = cardOf(entries).map((card) => md`(${card})`);
  return joined([typed, ...on, ...(isGlass(stateOf(entries)) ? [trusted('with break-glass')] : []), ...at], ' ');
}

/** How many runs to name. */
const maxNamed = 5;

/** "Still running: /backup restore web-1 (101) and 2 more." */
function told(words: string, runs: readonly Run[], file: 'file' | undefined): Markup {
  const more = runs.length - maxNamed;
  const names = runs.slice(0, maxNamed).map((run) => name(run, file));
  return md`${trusted(capitalized(words))}: ${list(more > 0 ? [...names, trusted(`${more} more`)] : names)}.`;
}

/** A link to the current card of a run, if it has one. */
export const cardOf = (entries: readonly RunEntry[]): Markup[] =>
  [messageOf(stateOf(entries)) ?? []].flat().map((place) => linkTo('card', place));
