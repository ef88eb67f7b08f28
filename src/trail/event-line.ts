import { joined, type Markup, md, moment, quote, trusted } from '../card.ts';
import type { EventEntry, Kind, Look } from '../runs/entry.ts';
import { lookEnd } from '../runs/incident.ts';
import { link, maxLengths, nameOf, person, quotedCommand, seqRange, short } from './words.ts';

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

/** The maximum number of differences or problems in a line. */
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
  const shown = lines.slice(0, namedLines).map((line) => quote(line, maxLengths.options));
  return joined([head, ...shown, ...more, md`process ${short(owner)}`], ' · ');
}

const lookOf = ({ command, server, ...how }: Look): Markup =>
  md`${quotedCommand(command)}${server === undefined ? trusted('') : md` ${nameOf(server)}`}${trusted(lookEnd(how))}`;

/** The line, without its time, of an entry that belongs to no run. */
export function eventLine(entry: EventEntry): Markup {
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
      const what = md`TRAIL CHANGED ${trusted(entry.finding)}${seqRange(entry.from, entry.to)}`;
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
    case 'frozen':
    case 'thawed':
    case 'held':
    case 'released':
      return stopLine(entry);
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

/** "FROZEN tier `production` · until 22 November 2026 22:00 · @alice · `migration` · card" */
function stopLine(entry: Kind<'frozen' | 'thawed' | 'held' | 'released'>): Markup {
  const { kind, actor, why, place } = entry;
  const subject =
    'server' in entry
      ? nameOf(entry.server)
      : entry.tier === undefined
        ? trusted('all servers')
        : md`tier ${short(entry.tier)}`;
  const until = 'until' in entry ? Date.parse(entry.until) : Number.NaN;
  return joined(
    [
      md`${trusted(kind.toUpperCase())} ${subject}`,
      ...(Number.isNaN(until) ? [] : [md`until ${moment(until, 'f')}`]),
      person(actor),
      ...(why === undefined ? [] : [short(why)]),
      ...(kind === 'held' && entry.over !== undefined ? [md`takes over #${entry.over}`] : []),
      ...(kind === 'thawed' || kind === 'released' ? [md`ends #${entry.ends}`] : []),
      ...(place.message === undefined ? [] : link('card', place.guild, place.channel, place.message)),
    ],
    ' · ',
  );
}
