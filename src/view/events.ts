import { joined, list, type Markup, md, moment, quote, trusted } from '../card.ts';
import type { EventEntry, IncidentRead, Kind } from '../runs/entry.ts';
import type { AlertNews } from '../runs/entry-events.ts';
import { isEmpty, longest } from './entry-details.ts';
import { person, says, type Wording } from './formatter.ts';
import { inLine, link, lookEnd, mention, seqRange, serverOf, short, typedName, typedOptions } from './words.ts';

const numbered = (seqs: readonly number[]): string => {
  const more = seqs.length > 10 ? ` and ${seqs.length - 10} more` : '';
  return `${seqs
    .slice(0, 10)
    .map((seq) => `#${seq}`)
    .join(', ')}${more}`;
};

/** The most differences or problems that a line names. */
const mostLines = 3;

/** A section of the policy without the prefix `policy.`. */
const factName = (name: string): Markup => short(name.replace(/^policy\./, ''));

/** "tier `production`", "web-1 (101)" */
function stopped(entry: Stop): Markup {
  if ('server' in entry) return serverOf(entry.server, inLine.text);
  return entry.tier === undefined ? trusted('all servers') : md`tier ${short(entry.tier)}`;
}

type Stop = Kind<'frozen' | 'thawed' | 'held' | 'released'>;

const incidentSteps = { opened: 'INCIDENT OPENED', ended: 'INCIDENT ENDED', noted: 'NOTE KEPT', looked: 'READ' };

/** "**FROZEN** tier `production` by @alice: `migration`", "**READ** `/firewall show` web-1 (101) by @carol · thread" */
export const deedWords = (entry: Stop | Kind<'incident' | 'alert'>): Markup => {
  if (entry.kind === 'alert') return md`**${trusted(events.alert.title(entry))}** ${joined(aboutAlert(entry), ' · ')}`;
  if (entry.kind === 'incident') {
    const { step, title, look, note, actor, incident, place } = entry;
    const of = look === undefined ? (title ?? note?.text) : undefined;
    const about = of === undefined ? trusted('') : md`: ${short(of)}`;
    const what = look === undefined ? trusted('') : md` ${lookOf(look)}`;
    const thread = link('thread', place.guild, incident).map((each) => md` · ${each}`);
    return md`**${trusted(incidentSteps[step])}**${what} by ${person(actor)}${about}${joined(thread, '')}`;
  }
  const why = entry.why === undefined ? trusted('') : md`: ${short(entry.why)}`;
  return md`**${trusted(entry.kind.toUpperCase())}** ${stopped(entry)} by ${person(entry.actor)}${why}`;
};

const untilOf = (entry: Stop): string[] => ('until' in entry ? [entry.until] : []);

/** A freeze or a hold, and their ends: "FROZEN tier `production` · until 22 November 2026 22:00 · @alice · `migration` · card" */
const ofStop: Wording<Stop> = {
  title: ({ kind }) => kind.toUpperCase(),
  more: stopped,
  rest: (entry) => [
    ...untilOf(entry).flatMap((until) =>
      Number.isNaN(Date.parse(until)) ? [] : [md`until ${moment(Date.parse(until), 'f')}`],
    ),
    person(entry.actor),
    ...(entry.why === undefined ? [] : [short(entry.why)]),
    ...('over' in entry && entry.over !== undefined ? [md`takes over #${entry.over}`] : []),
    ...('ends' in entry ? [md`ends #${entry.ends}`] : []),
    ...(entry.place.message === undefined
      ? []
      : link('card', entry.place.guild, entry.place.channel, entry.place.message)),
  ],
  details: (entry, { time }) => [
    'server' in entry
      ? md`Server ${entry.server.name ?? String(entry.server.id)} (${entry.server.id}).`
      : entry.tier === undefined
        ? trusted('All servers.')
        : md`Tier ${entry.tier}.`,
    // An invalid time is shown as it is.
    ...untilOf(entry).map((until) => md`Until ${Number.isNaN(Date.parse(until)) ? quote(until) : time(until)}.`),
    ...('over' in entry && entry.over !== undefined ? [md`Takes over from entry ${entry.over}.`] : []),
    ...('ends' in entry ? [md`Ends entry ${entry.ends}.`] : []),
    ...(entry.why === undefined ? [] : [md`Why: ${entry.why}`]),
  ],
};

const process = ({ owner }: { owner: string }): Markup => md`process ${short(owner)}`;

const everybody = (ids: readonly string[]): Markup =>
  ids.length === 0 ? trusted('nobody') : list(ids.map((id) => mention({ id, name: id })));

/** A row for each kind of entry that belongs to no run. */
export const events: { readonly [K in EventEntry['kind']]: Wording<Kind<K>> } = {
  started: {
    title: says('STARTED'),
    more: ({ facts: { version } }) => (version === undefined ? trusted('panelops') : md`panelops ${short(version)}`),
    rest: (entry) => [process(entry)],
    details: ({ owner, facts }) => [md`Process ${owner}, with ${quote(typedOptions(facts), longest.options)}.`],
  },
  stopped: {
    title: says('STOPPED'),
    more: () => trusted('panelops'),
    rest: (entry) => [process(entry)],
    details: ({ owner }) => [md`Process ${owner}.`],
  },
  configured: {
    title: ({ problems }) => (problems === undefined ? 'CONFIGURATION CHANGED' : 'CONFIGURATION REFUSED'),
    more: ({ changed, problems }) =>
      problems === undefined
        ? joined(changed.slice(0, 15).map(factName), ', ')
        : trusted('the one before stays in force'),
    rest({ owner, difference = [], problems = difference }) {
      if (owner === undefined) return [];
      const shown = problems.slice(0, mostLines).map((line) => quote(line, inLine.options));
      const more = problems.length - shown.length;
      return [...shown, ...(more > 0 ? [md`${more} more`] : []), process({ owner })];
    },
    details({ changed, owner, difference = [], problems }) {
      const names = list(changed.map((name) => quote(name)));
      if (owner === undefined) return [md`Changed since the last start: ${names}.`];
      const head =
        problems === undefined
          ? md`Process ${owner}, without a restart: ${names}.`
          : md`Process ${owner} keeps the one before.`;
      return [head, ...(problems ?? difference).map((line) => quote(line, longest.options))];
    },
  },
  shift: {
    title: says('SHIFT CHANGED'),
    more: ({ schedule }) => short(schedule),
    rest: ({ before, after, place }) => [
      md`from ${everybody(before)} to ${everybody(after)}`,
      ...(place?.message === undefined ? [] : link('message', place.guild, place.channel, place.message)),
    ],
    details: ({ schedule, at, before, after }, { time }) => [
      md`Schedule ${schedule}, ${time(at)}: from ${everybody(before)} to ${everybody(after)}.`,
    ],
  },
  tampered: {
    title: ({ finding }) => `TRAIL CHANGED ${finding}`,
    more: ({ from, to }) => (from === undefined ? undefined : trusted(seqRange(from, to))),
    rest({ finding, unsaid, actor }) {
      if (finding !== 'deleted' && finding !== 'edited') return [];
      return [unsaid === true ? trusted('Discord does not say by whom') : md`by ${person(actor)}`];
    },
    details: ({ message, from, to = from, unsaid }) => [
      md`Message ${quote(message)}.`,
      ...(from === undefined ? [] : [trusted(from === to ? `Entry ${from}.` : `Entries ${from} to ${to}.`)]),
      ...(unsaid === true ? [trusted('Discord does not say by whom.')] : []),
    ],
  },
  acknowledged: {
    title: says('FINDINGS ACKNOWLEDGED'),
    more: ({ findings }) => trusted(numbered(findings)),
    rest: ({ actor, why: found }) => [person(actor), short(found)],
    details: ({ findings, why: found }) => [md`Findings: ${trusted(findings.join(', '))}.`, md`Why: ${found}`],
  },
  alerted: {
    title: says('FINDINGS ALERTED'),
    more: ({ upTo }) => md`up to #${upTo}`,
    rest: ({ place }) =>
      place?.message === undefined ? [] : link('message', place.guild, place.channel, place.message),
    details: ({ upTo }) => [md`Findings up to entry ${upTo}.`],
  },
  alert: {
    title: ({ step }) => `ALERT ${step.toUpperCase()}`,
    more: (entry) => (entry.step === 'received' ? newsOf(entry.news) : md`card ${short(entry.card)}`),
    rest: aboutAlert,
    details: (entry, { person: named }) =>
      entry.step === 'received'
        ? entry.news.map((each) => md`${newsWords(each)}.`)
        : [
            md`Card ${quote(entry.card)}.`,
            ...(entry.step === 'acknowledged' ? [md`Acknowledged by ${named(entry.actor)}.`] : []),
          ],
  },
  frozen: ofStop,
  thawed: ofStop,
  held: ofStop,
  released: ofStop,
  incident: {
    title: ({ step }) => `INCIDENT ${step.toUpperCase()}`,
    more: ({ title }) => (title === undefined ? undefined : short(title)),
    rest: ({ actor, incident, look, note, place: { guild } }) => [
      ...(look === undefined ? [] : [lookOf(look)]),
      person(actor),
      ...(note === undefined
        ? []
        : [
            md`${person(note.author)} wrote ${short(note.text)}`,
            ...link('message', guild, note.channel, note.message),
          ]),
      ...link('thread', guild, incident),
    ],
    details: ({ incident, title, look, note }, { person: named, time }) => [
      md`Thread ${quote(incident)}.`,
      ...(title === undefined ? [] : [quote(title)]),
      ...(look === undefined || isEmpty(look.options)
        ? []
        : [md`Options: ${quote(typedOptions(look.options), longest.options)}.`]),
      ...(note === undefined
        ? []
        : [md`${named(note.author)} wrote ${time(note.time)}: ${quote(note.text, longest.note)}`]),
    ],
  },
};

function aboutAlert(entry: Kind<'alert'>): Markup[] {
  if (entry.step === 'received') {
    const shown = entry.news.slice(0, mostLines);
    const more = entry.news.length - shown.length;
    return [...shown.map(newsWords), ...(more > 0 ? [md`${more} more`] : [])];
  }
  const place = 'place' in entry ? entry.place : undefined;
  return [
    ...(entry.step === 'acknowledged' ? [person(entry.actor)] : []),
    ...(place?.message === undefined ? [] : link('message', place.guild, place.channel, place.message)),
  ];
}

/** "2 firing, 1 resolved from `alertmanager`" */
function newsOf(news: readonly AlertNews[]): Markup {
  const firing = news.filter(({ state }) => state === 'firing').length;
  const counts = [
    ...(firing > 0 ? [`${firing} firing`] : []),
    ...(firing < news.length ? [`${news.length - firing} resolved`] : []),
  ];
  const sources = [...new Set(news.map(({ source }) => source))];
  return md`${trusted(counts.join(', '))} from ${joined(sources.map(short), ', ')}`;
}

const newsWords = ({ state, title, servers = [] }: AlertNews): Markup => {
  const on = servers.slice(0, mostLines).map((server) => serverOf(server, inLine.text));
  return md`${trusted(state)} ${short(title)}${on.length === 0 ? trusted('') : md` on ${list(on)}`}`;
};

const lookOf = ({ command, server, ...how }: IncidentRead): Markup => {
  const on = server === undefined ? trusted('') : md` ${serverOf(server, inLine.text)}`;
  return md`${short(typedName(command))}${on}${trusted(lookEnd(how))}`;
};
