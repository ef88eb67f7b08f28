import { joined, type Markup, md, quote, trusted } from '../card.ts';
import { shellChannel } from '../outcome.ts';
import { type Entry, type Folded, foldedIn, type Kind, type RunEntry } from '../runs/entry.ts';
import { isPing } from '../runs/pings.ts';
import { wordsOf } from './details.ts';
import { person } from './formatter.ts';
import { inLine, link, seqRange, serverOf, short, typedName } from './words.ts';

/** The forms of a line and of the message around it, as posted. `digits` of the last hash tell the form. */
export const forms: Readonly<Record<1 | 2 | 3, Form>> = {
  1: { digits: 12, titles: { intent: 'SENT' } },
  2: { digits: 32, titles: { intent: 'SENT' }, hasOptions: true },
  3: { digits: 36, titles: {}, hasOptions: true, joinsSteps: true },
};

export interface Form {
  digits: number;
  /** Where it was called otherwise. */
  titles: { readonly [K in Entry['kind']]?: string };
  /** The options of a command are in the line. */
  hasOptions?: true;
  /** The steps of a run that stand together share a line, which says nothing twice. */
  joinsSteps?: true;
}

const timestamp = (time: string): Markup => trusted(`<t:${Math.floor(Date.parse(time) / 1000)}:T>`);

/** What happened, in capitals, with its details. */
function actionOf(entry: Entry, { titles }: Form): Markup {
  const { title, more } = wordsOf(entry);
  const what = trusted(titles[entry.kind] ?? title(entry));
  const behind = more?.(entry);
  return behind === undefined ? what : md`${what} ${behind}`;
}

/** Why, in the bot's code, the panel's message, or a person's words. */
function reasonsOf(entry: RunEntry): string[] {
  const { isTyped, wrote } = wordsOf(entry);
  const { reason } = entry.options;
  const typed = isTyped === true && typeof reason === 'string' ? [reason] : [];
  return [...typed, ...(wrote?.(entry) ?? []).filter((text) => text !== undefined)];
}

/** What was denied. The server is shown as typed: a denial comes before its lookup. */
export function deniedOf(denied: Pick<RunEntry, 'command' | 'server' | 'options'>, pressed?: string): string {
  const { command, server, options } = denied;
  const on = server === undefined && options['server'] !== undefined ? ` server:${options['server']}` : '';
  const what = `${typedName(command)}${on}`;
  return pressed === undefined ? what : `${pressed} on ${what}`;
}

/** Options except server and reason, which have their own places: `interface:primary network:192.0.2.0/24`. */
function optionsOf(entry: RunEntry): Markup[] {
  if (wordsOf(entry).isTyped === undefined) return [];
  const words = Object.entries(entry.options)
    .filter(([name]) => name !== 'server' && name !== 'reason')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  return words.length === 0 ? [] : [quote(words.join(' '), inLine.options)];
}

/** How many denied commands a line names. */
const maxActions = 5;

/** One line for repeated denials of one person, as the ledger counts them. */
function foldedLine({ actor, run }: RunEntry, { count, first, last, commands }: Folded): Markup {
  const shown = commands.slice(0, maxActions);
  const others = count - shown.reduce((sum, each) => sum + each.count, 0);
  const actions = [
    ...shown.map(
      ({ command, server, pressed, count: times }) =>
        md`${short(deniedOf({ command, options: server === undefined ? {} : { server } }, pressed))} ×${times}`,
    ),
    ...(others === 0 ? [] : [trusted(`others ×${others}`)]),
  ];
  const span = md`${timestamp(first)} to ${timestamp(last)}`;
  return joined([md`DENIED ×${count}`, joined(actions, ', '), person(actor), span, short(run)], ' · ');
}

/** Steps of one run as one line. An intent with its outcome beside it is left out: the outcome says more. */
function stepsLine(steps: readonly [RunEntry, ...RunEntry[]], form: Form): Markup {
  const [first] = steps;
  const shown = steps.filter(({ kind }, i) => kind !== 'intent' || steps[i + 1]?.kind !== 'outcome');
  const actions = shown.map((entry) => actionOf(entry, form));
  const all = steps.flatMap(reasonsOf).map((text) => short(text));
  const withMessage = steps.filter((step) => step.place.message !== undefined && !(form.joinsSteps && isPing(step)));
  const { guild, channel, message } = withMessage.at(-1)?.place ?? first.place;
  const what = first.kind === 'denied' ? deniedOf(first, first.pressed?.button) : typedName(first.command);
  return joined(
    [
      md`${joined(actions, ', ')} ${short(what)}`,
      ...(first.server === undefined ? [] : [serverOf(first.server, inLine.text)]),
      ...(form.hasOptions ? distinct(steps.flatMap(optionsOf)) : []),
      person(first.actor),
      ...(first.kind === 'denied' ? whoseRun(first) : []),
      ...(form.joinsSteps ? distinct(all) : all),
      short(first.run),
      ...(message === undefined ? [] : link('card', guild, channel, message)),
      ...ofShell(channel),
    ],
    ' · ',
  );
}

/** That it was typed at a terminal. No release has posted such a line without it. */
const ofShell = (channel: string | undefined): Markup[] => (channel === shellChannel ? [trusted('shell')] : []);

/** The run whose button was pressed without permission, and who started it. */
const whoseRun = ({ pressed }: Kind<'denied'>): Markup[] =>
  pressed === undefined ? [] : [md`run ${short(pressed.run)} of ${person(pressed.of)}`];

/** Distinct values, in order of occurrence. */
const distinct = (all: readonly Markup[]): Markup[] =>
  all.filter(({ markup }, i) => all.findIndex((other) => other.markup === markup) === i);

/** One entry as one line, always the same for the same form: see `textOf` before you change anything here. */
export function trailLine(entry: Entry, form: Form): string {
  const folded = foldedIn(entry);
  if ('run' in entry && folded === undefined) return runLine([entry], form);
  const line =
    'run' in entry && folded !== undefined
      ? foldedLine(entry, folded)
      : joined([actionOf(entry, form), ...restOf(entry), ...ofShell(placeOf(entry)?.channel)], ' · ');
  return md`${timestamp(entry.time)} ${line}`.markup;
}

const placeOf = (entry: Entry) => ('place' in entry ? entry.place : undefined);
const restOf = (entry: Entry): Markup[] => wordsOf(entry).rest?.(entry) ?? [];

/** How many steps may share a line. */
const maxSteps = 10;

/** Whether the entry shares the line of these steps. Another person's step gets a line of its own. */
export const continues = (steps: readonly RunEntry[], entry: Entry): entry is RunEntry =>
  'run' in entry &&
  entry.kind !== 'denied' &&
  steps.length < maxSteps &&
  steps.some(({ run, actor, kind }) => kind !== 'denied' && run === entry.run && actor.id === entry.actor.id);

/** The steps of one run as one line. As with `trailLine`, the same steps must always give the same line. */
export function runLine(steps: readonly [RunEntry, ...RunEntry[]], form: Form): string {
  const [first, last = first] = [steps[0], steps.at(-1)];
  const [begin, end] = [timestamp(first.time), timestamp(last.time)];
  const time = begin.markup === end.markup ? begin : md`${begin}–${end}`;
  return md`${time} ${stepsLine(steps, form)}`.markup;
}

/** The denials of one person within a message. */
export interface Denials {
  actor: { id: string; name: string };
  time: string;
  count: number;
  from: number;
  to: number;
  /** Distinct denied commands, in order of occurrence. */
  actions: ReadonlySet<string>;
}

/** Several denials of one person as one line. */
export function denialsLine({ actor, time, count, from, to, actions }: Denials): string {
  const named: Markup[] = [];
  // There may be thousands.
  for (const action of actions) if (named.push(short(action)) === maxActions) break;
  const more = actions.size > maxActions ? [trusted(`${actions.size - maxActions} more`)] : [];
  const what = joined([...named, ...more], ', ');
  return md`${timestamp(time)} DENIED ×${count} · ${what} · ${person(actor)} · ${trusted(seqRange(from, to))}`.markup;
}
