import { joined, type Markup, md, quote, serverName, trusted } from '../card.ts';
import { defined } from '../defined.ts';
import type { Entry, EventEntry, Folded, FollowStep, Kind, RunEntry } from '../runs/entry.ts';

/** The first form of lines did not say with which options. */
export type Form = 1 | 2;

/** Text from outside is cut to so many characters: a line is read on a phone. */
const longest = 60;
const longestOptions = 120;

const short = (text: string): Markup => quote(text, longest);
const typed = (command: string): string => `/${command.replace('.', ' ')}`;
const shown = (command: string): Markup => short(typed(command));

/** Names a person and pings nobody: messages of the trail allow no mention. The bot itself is no person where it does not know its id. */
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

/** What happened, in capitals, with what belongs to it. */
function deed(entry: RunEntry): Markup {
  switch (entry.kind) {
    case 'asked':
      return trusted('QUESTION');
    case 'confirmed':
      return trusted('CONFIRMED');
    case 'intent':
      return trusted('SENT');
    case 'outcome':
      return trusted(entry.outcome.toUpperCase());
    case 'denied':
      return trusted('DENIED');
    case 'resolved':
      return trusted(`RESOLVED ${entry.happened ? 'it happened' : 'it did not'}`);
    case 'reminded':
      return trusted(entry.place.message === undefined ? 'REMINDER DROPPED nobody was pinged' : 'REMINDED');
    case 'follow-up':
      return followed(entry);
  }
}

function followed(entry: Kind<'follow-up'>): Markup {
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

/** Why: in the bot's own word, in the panel's, or in a person's. */
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

/** What was denied, on which server: it was turned away before anybody looked that up, so it is as it was typed. */
export const deniedOf = ({ command, server, options }: Pick<RunEntry, 'command' | 'server' | 'options'>): string =>
  server === undefined && options['server'] !== undefined
    ? `${typed(command)} server:${options['server']}`
    : typed(command);

/** With what, besides the server and the reason, which have their own places: `interface:primary network:192.0.2.0/24`. */
function optionsOf(entry: RunEntry): Markup[] {
  if (entry.kind !== 'asked' && entry.kind !== 'intent') return [];
  const words = Object.entries(entry.options)
    .filter(([name]) => name !== 'server' && name !== 'reason')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  return words.length === 0 ? [] : [quote(words.join(' '), longestOptions)];
}

/** So many of what was denied are named in a line. */
const namedDeeds = 5;

/** What a person was denied again and again, as the ledger counts it. */
function ofFolded({ actor, run }: RunEntry, { count, first, last, commands }: Folded): Markup {
  const shown = commands.slice(0, namedDeeds);
  const others = count - shown.reduce((sum, each) => sum + each.count, 0);
  const deeds = [
    ...shown.map(
      ({ command, server, count: times }) =>
        md`${short(deniedOf({ command, options: defined({ server }) }))} ×${times}`,
    ),
    ...(others === 0 ? [] : [trusted(`others ×${others}`)]),
  ];
  return joined(
    [md`DENIED ×${count}`, joined(deeds, ', '), person(actor), md`${at(first)} to ${at(last)}`, short(run)],
    ' · ',
  );
}

function ofRun(entry: RunEntry, form: Form): Markup {
  if (entry.kind === 'denied' && entry.folded !== undefined) return ofFolded(entry, entry.folded);
  const { kind, actor, command, server, run, place } = entry;
  const { guild, channel, message } = place;
  return joined(
    [
      md`${deed(entry)} ${kind === 'denied' ? short(deniedOf(entry)) : shown(command)}`,
      ...(server === undefined ? [] : [nameOf(server)]),
      ...(form === 1 ? [] : optionsOf(entry)),
      person(actor),
      ...reasonsOf(entry).map(short),
      short(run),
      ...(message === undefined ? [] : link('card', guild, channel, message)),
    ],
    ' · ',
  );
}

/** Names of servers are the policy's, which allows letters, digits, dots and hyphens. */
const nameOf = (server: { id: number; name?: string }): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,63}$/i.test(server.name)
    ? serverName(server)
    : md`${short(server.name)} (${server.id})`;

const range = (from: number | undefined, to: number | undefined): Markup =>
  trusted(from === undefined ? '' : ` #${from}${to === undefined || to === from ? '' : `–#${to}`}`);

const namedFindings = 10;

const numbers = (seqs: readonly number[]): string => {
  const more = seqs.length > namedFindings ? ` and ${seqs.length - namedFindings} more` : '';
  return `${seqs
    .slice(0, namedFindings)
    .map((seq) => `#${seq}`)
    .join(', ')}${more}`;
};

/** A name of the policy's parts goes without the word policy. */
const factName = (name: string): Markup => short(name.replace(/^policy\./, ''));

function ofEvent(entry: EventEntry): Markup {
  const { actor } = entry;
  switch (entry.kind) {
    case 'started':
      return entry.facts['version'] === undefined
        ? md`STARTED panelops · process ${short(entry.owner)}`
        : md`STARTED panelops ${short(entry.facts['version'])} · process ${short(entry.owner)}`;
    case 'stopped':
      return md`STOPPED panelops · process ${short(entry.owner)}`;
    case 'configured':
      return md`CONFIGURATION CHANGED ${joined(entry.changed.slice(0, 15).map(factName), ', ')}`;
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

/** One entry as one line. The same entry always gives the same line of a form: see `textOf` before changing anything here. */
export const trailLine = (entry: Entry, form: Form): string =>
  md`${at(entry.time)} ${'run' in entry ? ofRun(entry, form) : ofEvent(entry)}`.markup;

/** What one person was denied within a message. */
export interface Denials {
  actor: { id: string; name: string };
  /** Of the first. */
  time: string;
  count: number;
  from: number;
  to: number;
  /** What was denied, each once, in the order in which it came. */
  deeds: ReadonlySet<string>;
}

/** Several denials of one person as one line. */
export function denialsLine({ actor, time, count, from, to, deeds }: Denials): string {
  const named: Markup[] = [];
  for (const deed of deeds) {
    if (named.length === namedDeeds) break;
    named.push(short(deed));
  }
  const more = deeds.size > namedDeeds ? [trusted(`${deeds.size - namedDeeds} more`)] : [];
  return md`${at(time)} DENIED ×${count} · ${joined([...named, ...more], ', ')} · ${person(actor)} ·${range(from, to)}`
    .markup;
}
