import { joined, type Markup, md, quote, serverName, trusted } from '../card.ts';
import { defined } from '../defined.ts';
import type { Entry, EventEntry, Folded, FollowStep, Kind, Look, RunEntry } from '../runs/entry.ts';
import { lookEnd } from '../runs/incident.ts';
import { isPing } from '../runs/news.ts';

/** The format of a line. Format 1 has no options. From format 3 on, the steps of a run that stand together share a line. */
export type Format = 1 | 2 | 3;

/** Maximum length of text from outside: people read lines on a phone. */
const longest = { text: 60, options: 120 };

const short = (text: string): Markup => quote(text, longest.text);
const typed = (command: string): string => `/${command.replace('.', ' ')}`;
const shown = (command: string): Markup => short(typed(command));

/** Mentions a person. Pings nobody: messages of the trail allow no mentions. Without a valid id, shows the name. */
const person = ({ id, name }: { id: string; name: string }): Markup =>
  /^\d{17,20}$/.test(id) ? trusted(`<@${id}>`) : short(name);

const at = (time: string): Markup => trusted(`<t:${Math.floor(Date.parse(time) / 1000)}:T>`);

const isId = (text: string | undefined): text is string => text !== undefined && /^\d{1,20}$/.test(text);
/** A link to a message, or to a channel: https://discord.com/channels/guild/channel/message. */
function link(words: 'card' | 'thread' | 'message', guild: string, channel: string, message?: string): Markup[] {
  const ids = [guild, channel, ...(message === undefined ? [] : [message])];
  return ids.every(isId) ? [trusted(`[${words}](https://discord.com/channels/${ids.join('/')})`)] : [];
}

const steps: Record<Exclude<FollowStep, 'ended' | 'handed-over'>, string> = {
  started: 'FOLLOWING',
  moved: 'CARD MOVED',
  reminded: 'REMINDED',
  announced: 'ANNOUNCED',
};

/** What happened, in capitals, with its details. */
function actionOf(entry: RunEntry, format: Format): Markup {
  switch (entry.kind) {
    case 'asked':
      return trusted('QUESTION');
    case 'confirmed':
      return trusted('CONFIRMED');
    case 'intent':
      // It is recorded before it is sent, and may end without that.
      return trusted(format === 3 ? 'SENDING' : 'SENT');
    case 'outcome':
      return trusted(entry.outcome.toUpperCase());
    case 'denied':
      return trusted('DENIED');
    case 'resolved':
      return trusted(`RESOLVED ${entry.happened ? 'it happened' : 'it did not'}`);
    case 'reminded':
      return trusted(entry.place.message === undefined ? 'REMINDER DROPPED nobody was pinged' : 'REMINDED');
    case 'pinged':
      return trusted('PINGED');
    case 'follow-up':
      return followUpStep(entry);
  }
}

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
    case 'asked':
    case 'intent':
      return typeof entry.options['reason'] === 'string' ? [entry.options['reason']] : [];
    case 'outcome':
      return [entry.reason ?? [], said(entry)].flat();
    case 'resolved':
      return [entry.why];
    case 'denied':
      return said(entry);
    case 'follow-up':
      return entry.step === 'ended' ? said(entry) : [];
    default:
      return [];
  }
}

const said = ({ said: words }: { said?: string }): string[] => (words === undefined || words === '' ? [] : [words]);

/** What was denied. The server is shown as typed: a denial comes before its lookup. */
export const deniedOf = ({ command, server, options }: Pick<RunEntry, 'command' | 'server' | 'options'>): string =>
  server === undefined && options['server'] !== undefined
    ? `${typed(command)} server:${options['server']}`
    : typed(command);

/** Options except server and reason, which have their own places: `interface:primary network:192.0.2.0/24`. */
function optionsOf(entry: RunEntry): Markup[] {
  if (entry.kind !== 'asked' && entry.kind !== 'intent') return [];
  const words = Object.entries(entry.options)
    .filter(([name]) => name !== 'server' && name !== 'reason')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  return words.length === 0 ? [] : [quote(words.join(' '), longest.options)];
}

/** How many denied commands a line names. */
const maxActions = 5;

/** One line for repeated denials of one person, as the ledger counts them. */
function foldedLine({ actor, run }: RunEntry, { count, first, last, commands }: Folded): Markup {
  const shown = commands.slice(0, maxActions);
  const others = count - shown.reduce((sum, each) => sum + each.count, 0);
  const actions = [
    ...shown.map(
      ({ command, server, count: times }) =>
        md`${short(deniedOf({ command, options: defined({ server }) }))} ×${times}`,
    ),
    ...(others === 0 ? [] : [trusted(`others ×${others}`)]),
  ];
  return joined(
    [md`DENIED ×${count}`, joined(actions, ', '), person(actor), md`${at(first)} to ${at(last)}`, short(run)],
    ' · ',
  );
}

/** Steps of one run as one line; an outcome says more than that it was about to be sent. */
function stepsLine(steps: readonly [RunEntry, ...RunEntry[]], format: Format): Markup {
  const [first] = steps;
  const told = steps.filter(({ kind }, i) => kind !== 'intent' || steps[i + 1]?.kind !== 'outcome');
  const all = steps.flatMap(reasonsOf).map(short);
  const reasons = format === 3 ? once(all) : all;
  const withMessage = steps.filter((step) => step.place.message !== undefined && (format !== 3 || !isPing(step)));
  const { guild, channel, message } = withMessage.at(-1)?.place ?? first.place;
  return joined(
    [
      md`${joined(
        told.map((entry) => actionOf(entry, format)),
        ', ',
      )} ${first.kind === 'denied' ? short(deniedOf(first)) : shown(first.command)}`,
      ...(first.server === undefined ? [] : [nameOf(first.server)]),
      ...(format === 1 ? [] : once(steps.flatMap(optionsOf))),
      person(first.actor),
      ...reasons,
      short(first.run),
      ...(message === undefined ? [] : link('card', guild, channel, message)),
    ],
    ' · ',
  );
}

/** Each once, in order of occurrence. */
const once = (all: readonly Markup[]): Markup[] =>
  all.filter(({ markup }, i) => all.findIndex((other) => other.markup === markup) === i);

/** Names in the policy have only letters, digits, dots and hyphens. Other names are quoted. */
const nameOf = (server: { id: number; name?: string }): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,63}$/i.test(server.name)
    ? serverName(server)
    : md`${short(server.name)} (${server.id})`;

const range = (from: number | undefined, to: number | undefined): Markup =>
  trusted(from === undefined ? '' : ` #${from}${to === undefined || to === from ? '' : `–#${to}`}`);

const maxFindings = 10;

const numbers = (seqs: readonly number[]): string => {
  const more = seqs.length > maxFindings ? ` and ${seqs.length - maxFindings} more` : '';
  return `${seqs
    .slice(0, maxFindings)
    .map((seq) => `#${seq}`)
    .join(', ')}${more}`;
};

/** A section of the policy appears without the prefix `policy.`. */
const factName = (name: string): Markup => short(name.replace(/^policy\./, ''));

/** So many lines of what is different, or wrong, fit beside the rest. */
const namedLines = 3;

function configured({ changed, owner, difference = [], problems }: Kind<'configured'>): Markup {
  const names = joined(changed.slice(0, 15).map(factName), ', ');
  if (owner === undefined) return md`CONFIGURATION CHANGED ${names}`;
  const lines = problems ?? difference;
  const more = lines.length > namedLines ? [trusted(`${lines.length - namedLines} more`)] : [];
  const head =
    problems === undefined
      ? md`CONFIGURATION CHANGED ${names}`
      : trusted('CONFIGURATION REFUSED the one before stays in force');
  const shown = lines.slice(0, namedLines).map((line) => quote(line, longest.options));
  return joined([head, ...shown, ...more, md`process ${short(owner)}`], ' · ');
}

const lookOf = ({ command, server, ...how }: Look): Markup =>
  md`${shown(command)}${server === undefined ? trusted('') : md` ${nameOf(server)}`}${trusted(lookEnd(how))}`;

function eventLine(entry: EventEntry): Markup {
  const { actor } = entry;
  switch (entry.kind) {
    case 'started':
      return entry.facts['version'] === undefined
        ? md`STARTED panelops · process ${short(entry.owner)}`
        : md`STARTED panelops ${short(entry.facts['version'])} · process ${short(entry.owner)}`;
    case 'stopped':
      return md`STOPPED panelops · process ${short(entry.owner)}`;
    case 'configured':
      return configured(entry);
    case 'tampered': {
      const removed = entry.finding === 'deleted';
      const who = entry.unsaid === true ? trusted('Discord does not say by whom') : md`by ${person(actor)}`;
      const what = md`TRAIL CHANGED ${trusted(entry.finding)}${range(entry.from, entry.to)}`;
      return removed || entry.finding === 'edited' ? md`${what} · ${who}` : what;
    }
    case 'acknowledged':
      return md`FINDINGS ACKNOWLEDGED ${trusted(numbers(entry.findings))} · ${person(actor)} · ${short(entry.why)}`;
    case 'alerted': {
      const { guild = '', channel = '', message = '' } = entry.place ?? {};
      return joined(
        [
          md`FINDINGS ALERTED up to #${entry.upTo}`,
          ...(message === '' ? [] : link('message', guild, channel, message)),
        ],
        ' · ',
      );
    }
    case 'incident': {
      const { guild } = entry.place;
      const noted = entry.note === undefined ? [] : link('message', guild, entry.note.channel, entry.note.message);
      return joined(
        [
          md`INCIDENT ${trusted(entry.step.toUpperCase())}${entry.title === undefined ? trusted('') : md` ${short(entry.title)}`}`,
          ...(entry.look === undefined ? [] : [lookOf(entry.look)]),
          person(actor),
          ...(entry.note === undefined ? [] : [md`${person(entry.note.author)} wrote ${short(entry.note.text)}`]),
          ...noted,
          ...link('thread', guild, entry.incident),
        ],
        ' · ',
      );
    }
  }
}

/**
 * One entry as one line. The same entry in the same format must always give the same line: see `textOf` before you
 * change anything here.
 */
export function trailLine(entry: Entry, format: Format): string {
  if (!('run' in entry)) return md`${at(entry.time)} ${eventLine(entry)}`.markup;
  if (entry.kind === 'denied' && entry.folded !== undefined)
    return md`${at(entry.time)} ${foldedLine(entry, entry.folded)}`.markup;
  return runLine([entry], format);
}

/** How many steps share a line. */
const maxSteps = 10;

/** Whether the entry shares the line of these steps. What another person did has a line of its own. */
export const continues = (steps: readonly RunEntry[], entry: Entry): entry is RunEntry =>
  'run' in entry &&
  entry.kind !== 'denied' &&
  steps.length < maxSteps &&
  steps.some(({ run, actor, kind }) => kind !== 'denied' && run === entry.run && actor.id === entry.actor.id);

/** The steps of one run as one line. The same promise as for `trailLine`. */
export function runLine(steps: readonly [RunEntry, ...RunEntry[]], format: Format): string {
  const [first, last = first] = [steps[0], steps.at(-1)];
  const [begin, end] = [at(first.time), at(last.time)];
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
  return md`${at(time)} DENIED ×${count} · ${joined([...named, ...more], ', ')} · ${person(actor)} ·${range(from, to)}`
    .markup;
}
