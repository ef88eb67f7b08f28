import { joined, type Markup, md, quote, trusted } from '../card.ts';
import type { Entry, Folded, FollowStep, Kind, RunEntry } from '../runs/entry.ts';
import { isPing } from '../runs/news.ts';
import { eventLine } from './event-line.ts';
import { link, maxLengths, nameOf, person, quotedCommand, seqRange, short, timestamp, typed } from './words.ts';

/** The format of a line. Format 1 has no options. From format 3 on, the steps of a run that stand together share a line. */
export type Format = 1 | 2 | 3;

const steps: Record<Exclude<FollowStep, 'ended' | 'handed-over'>, string> = {
  started: 'FOLLOWING',
  moved: 'CARD MOVED',
  reminded: 'REMINDED',
  announced: 'ANNOUNCED',
};

/** What happened, in capitals, with its details. */
function actionOf(entry: RunEntry, format: Format): Markup {
  switch (entry.kind) {
    case 'requested':
      return trusted('ASKED OTHERS');
    case 'asked':
      return trusted(entry.glass === undefined ? 'QUESTION' : 'BREAK-GLASS QUESTION');
    case 'confirmed':
      return trusted('CONFIRMED');
    case 'approved':
      return trusted('APPROVED');
    case 'called':
      return trusted('OTHERS PINGED');
    case 'intent':
      // The intent is recorded before the request is sent, and the run may end without sending it.
      return trusted(format === 3 ? 'SENDING' : 'SENT');
    case 'outcome':
      return trusted(entry.outcome.toUpperCase());
    case 'read-back':
      return trusted('READ BACK');
    case 'denied':
      return trusted('DENIED');
    case 'resolved':
      return trusted(`RESOLVED ${resolutionText(entry)}`);
    case 'reviewed':
      return trusted('REVIEWED');
    case 'reminded':
      return trusted(entry.place.message === undefined ? 'REMINDER DROPPED nobody was pinged' : 'REMINDED');
    case 'pinged':
      return trusted('PINGED');
    case 'follow-up':
      return followUpStep(entry);
  }
}

const resolutionText = ({ happened, running }: Kind<'resolved'>): string => {
  if (running === true) return 'it is running';
  return happened ? 'it happened' : 'it did not';
};

function followUpStep(entry: Kind<'follow-up'>): Markup {
  switch (entry.step) {
    case 'handed-over':
      return md`HANDED OVER to ${person(entry.to)}`;
    case 'ended': {
      const word = trusted(entry.end.toUpperCase());
      return entry.by === undefined ? word : md`${word} says ${person(entry.by)}`;
    }
    default:
      return trusted(steps[entry.step]);
  }
}

/** Reasons: the bot's code, the panel's message, or a person's words. */
function reasonsOf(entry: RunEntry): string[] {
  switch (entry.kind) {
    case 'requested':
    case 'intent':
      return written(entry);
    case 'asked':
      return [...written(entry), ...(entry.glass === undefined ? [] : [entry.glass])];
    case 'outcome':
      return [entry.reason ?? [], messageOf(entry)].flat();
    case 'resolved':
    case 'reviewed':
      return [entry.why];
    case 'denied':
      return messageOf(entry);
    case 'follow-up':
      return entry.step === 'ended' ? messageOf(entry) : [];
    default:
      return [];
  }
}

const written = ({ options: { reason } }: RunEntry): string[] => (typeof reason === 'string' ? [reason] : []);
const messageOf = ({ said: words }: { said?: string }): string[] =>
  words === undefined || words === '' ? [] : [words];

/** What was denied. The server is shown as typed: a denial comes before its lookup. */
export function deniedOf(denied: Pick<RunEntry, 'command' | 'server' | 'options'>, pressed?: string): string {
  const { command, server, options } = denied;
  const what =
    server === undefined && options['server'] !== undefined
      ? `${typed(command)} server:${options['server']}`
      : typed(command);
  return pressed === undefined ? what : `${pressed} on ${what}`;
}

/** Options except server and reason, which have their own places: `interface:primary network:192.0.2.0/24`. */
function optionsOf(entry: RunEntry): Markup[] {
  if (entry.kind !== 'requested' && entry.kind !== 'asked' && entry.kind !== 'intent') return [];
  const words = Object.entries(entry.options)
    .filter(([name]) => name !== 'server' && name !== 'reason')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  return words.length === 0 ? [] : [quote(words.join(' '), maxLengths.options)];
}

/** How many denied commands a line names. */
const maxActions = 5;

/** One line for repeated denials of one person, as the ledger counts them. */
function foldedLine({ actor, run }: RunEntry, { count, first, last, commands }: Folded): Markup {
  const shown = commands.slice(0, maxActions);
  const others = count - shown.reduce((sum, each) => sum + each.count, 0);
  const actions = [
    ...shown.map(
      ({ command, server, pressed: button, count: times }) =>
        md`${short(deniedOf({ command, options: server === undefined ? {} : { server } }, button))} ×${times}`,
    ),
    ...(others === 0 ? [] : [trusted(`others ×${others}`)]),
  ];
  return joined(
    [
      md`DENIED ×${count}`,
      joined(actions, ', '),
      person(actor),
      md`${timestamp(first)} to ${timestamp(last)}`,
      short(run),
    ],
    ' · ',
  );
}

/** Steps of one run as one line. An intent with its outcome beside it is left out: the outcome says more. */
function stepsLine(steps: readonly [RunEntry, ...RunEntry[]], format: Format): Markup {
  const [first] = steps;
  const shownSteps = steps.filter(({ kind }, i) => kind !== 'intent' || steps[i + 1]?.kind !== 'outcome');
  const all = steps.flatMap(reasonsOf).map(short);
  const reasons = format === 3 ? distinct(all) : all;
  const withMessage = steps.filter((step) => step.place.message !== undefined && (format !== 3 || !isPing(step)));
  const { guild, channel, message } = withMessage.at(-1)?.place ?? first.place;
  return joined(
    [
      md`${joined(
        shownSteps.map((entry) => actionOf(entry, format)),
        ', ',
      )} ${first.kind === 'denied' ? short(deniedOf(first, first.pressed?.button)) : quotedCommand(first.command)}`,
      ...(first.server === undefined ? [] : [nameOf(first.server)]),
      ...(format === 1 ? [] : distinct(steps.flatMap(optionsOf))),
      person(first.actor),
      ...(first.kind === 'denied' ? whoseRun(first) : []),
      ...reasons,
      short(first.run),
      ...(message === undefined ? [] : link('card', guild, channel, message)),
    ],
    ' · ',
  );
}

/** The run whose button was pressed without permission, and who started it. */
const whoseRun = ({ pressed }: Kind<'denied'>): Markup[] =>
  pressed === undefined ? [] : [md`run ${short(pressed.run)} of ${person(pressed.of)}`];

/** Distinct values, in order of occurrence. */
const distinct = (all: readonly Markup[]): Markup[] =>
  all.filter(({ markup }, i) => all.findIndex((other) => other.markup === markup) === i);

/**
 * One entry as one line. The same entry in the same format must always give the same line: see `textOf` before you
 * change anything here.
 */
export function trailLine(entry: Entry, format: Format): string {
  if (!('run' in entry)) return md`${timestamp(entry.time)} ${eventLine(entry)}`.markup;
  if (entry.kind === 'denied' && entry.folded !== undefined)
    return md`${timestamp(entry.time)} ${foldedLine(entry, entry.folded)}`.markup;
  return runLine([entry], format);
}

/** How many steps may share a line. */
const maxSteps = 10;

/** Whether the entry shares the line of these steps. Another person's step gets a line of its own. */
export const continues = (steps: readonly RunEntry[], entry: Entry): entry is RunEntry =>
  'run' in entry &&
  entry.kind !== 'denied' &&
  steps.length < maxSteps &&
  steps.some(({ run, actor, kind }) => kind !== 'denied' && run === entry.run && actor.id === entry.actor.id);

/** The steps of one run as one line. As with `trailLine`, the same steps must always give the same line. */
export function runLine(steps: readonly [RunEntry, ...RunEntry[]], format: Format): string {
  const [first, last = first] = [steps[0], steps.at(-1)];
  const [begin, end] = [timestamp(first.time), timestamp(last.time)];
  const time = begin.markup === end.markup ? begin : md`${begin}–${end}`;
  return md`${time} ${stepsLine(steps, format)}`.markup;
}

/** The denials of one person within a message. */
export interface Denials {
  actor: { id: string; name: string };
  /** Time of the first denial. */
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
  for (const action of actions) {
    if (named.length === maxActions) break;
    named.push(short(action));
  }
  const more = actions.size > maxActions ? [trusted(`${actions.size - maxActions} more`)] : [];
  return md`${timestamp(time)} DENIED ×${count} · ${joined([...named, ...more], ', ')} · ${person(actor)} ·${seqRange(from, to)}`
    .markup;
}
