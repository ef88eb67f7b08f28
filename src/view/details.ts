import { joined, list, type Markup, md, quote, trusted } from '../card.ts';
import type { Actor } from '../outcome.ts';
import { type Entry, foldedIn, type RunEntry } from '../runs/entry.ts';
import { isEmpty, longest } from './entry-details.ts';
import { events } from './events.ts';
import type { Formatter, Wording } from './formatter.ts';
import { followUpSteps, steps } from './steps.ts';
import { lookEnd, mention, serverOf, typedName, typedOptions } from './words.ts';

/** The entry's title in capitals, as in the trail. */
export const titleOf = (entry: Entry): string => wordsOf(entry).title(entry);

/** What a run waits for of which this is the furthest step. */
export const waitsFor = (furthest: RunEntry): string | undefined => wordsOf(furthest).waits;

/** The server as typed, if the run has none: a denial comes before the lookup. */
export function askedOf(entry: RunEntry): Markup[] {
  const { server, options } = entry;
  const [first, ...others] = foldedIn(entry)?.commands ?? [];
  const asked = options['server'] ?? first?.server;
  return [
    ...(server === undefined && asked !== undefined ? [quote(typedOptions({ server: asked }), longest.asked)] : []),
    ...(others.length === 0 ? [] : [trusted('and others')]),
  ];
}

/**
 * "`review` on" and "of @bob", before and after the command. A denied click is not a command of the person who clicked. Of
 * denials counted together, the first is named: it says no longer whose run that was.
 */
export function clickOf(entry: RunEntry): [button: Markup[], whose: Markup[]] {
  const pressed = entry.kind === 'denied' ? entry.pressed : undefined;
  const named = foldedIn(entry)?.commands[0];
  const button = pressed?.button ?? (named?.command === entry.command ? named.pressed : undefined);
  return [
    button === undefined ? [] : [md`${quote(button)} on`],
    pressed === undefined ? [] : [md`of ${mention(pressed.of)}`],
  ];
}

/** The other details of an entry, a sentence each. Omits options that the run's previous entry already had. */
export const detailsOf = (entry: Entry, format: Formatter, before?: RunEntry): Markup[] => [
  ...('run' in entry ? newOptions(entry, format, before) : []),
  ...(wordsOf(entry).details?.(entry, format) ?? []),
];

function newOptions({ options, run }: RunEntry, { server }: Formatter, before: RunEntry | undefined): Markup[] {
  const isNew = before === undefined || typedOptions(before.options) !== typedOptions(options);
  if (!isNew || isEmpty(options)) return [];
  const typed = typedOptions(options, (id) => server(id, run));
  return [md`Options: ${quote(typed, longest.options)}.`];
}

/** " with `120…` and `121…`": the roles that a person had. */
export const withRoles = ({ roles }: Actor, role: (id: string) => Markup): Markup =>
  roles.length === 0 ? trusted(' without a role') : md` with ${list(roles.map(role))}`;

/** "`/power boot` web-1 (101)", after a space; empty for an entry without a command. */
export function what(entry: Entry): Markup {
  if ('run' in entry) return asked(entry, entry.server === undefined ? askedOf(entry) : [serverOf(entry.server)]);
  if (entry.kind !== 'incident' || entry.look === undefined) return trusted('');
  const { look } = entry;
  return md`${asked(look, look.server === undefined ? [] : [serverOf(look.server)])}${trusted(lookEnd(look))}`;
}

const asked = ({ command }: { command: string }, on: readonly Markup[]): Markup =>
  joined([md` ${quote(typedName(command))}`, ...on], ' ');

const rows = { ...steps, ...events };

/** What it is called: the row of its kind. */
export function wordsOf(entry: Entry): Wording<Entry> {
  const row = entry.kind === 'follow-up' ? followUpSteps[entry.step] : rows[entry.kind];
  // A row takes the entries of its own kind.
  return row as Wording<Entry>;
}
