import { oneLine } from '../src/card.ts';
import type { Choice, Option, SuggestContext } from '../src/command.ts';
import { type End, ends, type Outcome, outcomes } from '../src/outcome.ts';
import { titleOf, waitsFor } from '../src/view/details.ts';
import { type Format, formats } from '../src/view/formats.ts';
import { newestRuns } from '../src/view/newest.ts';
import type { Run } from '../src/view/select.ts';
import { typedName } from '../src/view/words.ts';
import { walk } from '../src/walk.ts';
import { maybe, oneOf, pastMoment } from './options.ts';

export const person = maybe<string>({
  type: 'user',
  description: 'Who did any of it; the id of somebody who has left',
  example: '@bob',
  read: (raw, { refuse }) =>
    /^\d{17,20}$/.test(String(raw)) ? String(raw) : refuse('write a person, or the id of one'),
});

const endings: readonly (Outcome | End)[] = [...new Set([...outcomes, ...ends])];

export const outcome = oneOf('How it ended', endings, 'pick one of the choices', undefined);

export const since = pastMoment('Since when: 2h, 3d, 22:00 or yesterday 22:00');
export const until = pastMoment('Until when: 2h (ago), 22:00, or a date (that day included)', true);

export const runId: Option<string> = {
  type: 'string',
  description: 'One of the newest, or the id at the bottom of its card',
  required: true,
  max: 60,
  suggest: suggestRuns,
  // As copied from a card.
  read: (raw) =>
    String(raw)
      .replaceAll('`', '')
      .replace(/^\s*run\s+/i, '')
      .replace(/·.*$/s, '')
      .trim()
      .toLowerCase(),
};

/** How many entries to search for suggestions, and Discord's limit for their number. */
const lately = 5000;
const maxChoices = 25;

/** The newest runs that this person may see, matched by command, server, time and person. */
async function suggestRuns(context: SuggestContext): Promise<Choice[]> {
  const wanted = context.typed.trim().toLowerCase();
  const choices: Choice[] = [];
  let looked = 0;
  await walk(newestRuns(context, {}), (run) => {
    looked += 1;
    const name = run === undefined ? '' : labelOf(run, context.now);
    if (run !== undefined && `${run.run} ${name}`.toLowerCase().includes(wanted))
      choices.push({ name, value: run.run });
    return choices.length < maxChoices && looked < lately;
  });
  return choices;
}

/** "web-1 /firewall flush, 5 min ago, by alice: succeeded" */
function labelOf({ first, furthest }: Run, now: number): string {
  const { server, options, command, actor } = first;
  const on = server === undefined ? options['server'] : (server.name ?? server.id);
  const label = `${on === undefined ? '' : `${on} `}${typedName(command)}, ${ago(now - Date.parse(furthest.time))}, by ${actor.name}: ${stateOf(furthest)}`;
  return oneLine(label).slice(0, 100);
}

/** How far it has come. */
const stateOf = (furthest: Run['furthest']): string => waitsFor(furthest) ?? titleOf(furthest).toLowerCase();

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
}

export const format = oneOf<Format, 'jsonl'>(
  'jsonl: the ledger itself (when left out); csv: for spreadsheets; md: for reading',
  formats,
  'write jsonl, csv or md',
  'jsonl',
);

export const incident = maybe<string>({
  type: 'string',
  description: 'What belongs to this incident',
  example: '1573852253188521984',
  max: 100,
  suggest: ({ typed, incidents }) =>
    incidents
      .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(typed.trim().toLowerCase()))
      .slice(-25)
      .reverse()
      .map(({ id, title, opened }) => ({ name: `${opened.time.slice(0, 10)} ${title}`.slice(0, 100), value: id })),
  read: (raw, { refuse }) =>
    /^\d{17,20}$/.test(String(raw)) ? String(raw) : refuse('pick one of the suggestions, or type the id of its thread'),
});
