import { joined, list, type Markup, md, quote, serverName, trusted } from '../card.ts';
import type { Actor } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import {
  type Entry,
  type EventEntry,
  type FollowStep,
  foldedIn,
  type Kind,
  type RunEntry,
  timesOf,
} from '../runs/entry.ts';
import { lookEnd } from '../runs/incident.ts';
import { sayerOf } from '../sayer.ts';
import { ofFolded, ofPressed } from './details-denied.ts';
import { effectWords } from './details-effects.ts';
import { ofKept, ofReadBack } from './details-rules.ts';
import { ofStop } from './details-stop.ts';
import type { Formatter } from './formatter.ts';
import { typedName, typedOptions } from './typed.ts';

const steps: Record<Exclude<FollowStep, 'ended'>, string> = {
  started: 'FOLLOWING',
  moved: 'CARD MOVED',
  'handed-over': 'HANDED OVER',
  reminded: 'REMINDED',
  announced: 'ANNOUNCED',
};

/** The entry's title in capitals, as in the trail. */
export function titleOf(entry: Entry): string {
  switch (entry.kind) {
    case 'requested':
      return 'ASKED OTHERS';
    case 'asked':
      return 'QUESTION';
    case 'intent':
      return 'SENDING';
    case 'read-back':
      return 'READ BACK';
    case 'outcome':
    case 'denied': {
      const times = timesOf(entry);
      return times === 1 ? entry.outcome.toUpperCase() : `${entry.outcome.toUpperCase()} ×${times}`;
    }
    case 'follow-up':
      return entry.step === 'ended' ? entry.end.toUpperCase() : steps[entry.step];
    case 'called':
      return 'OTHERS PINGED';
    case 'reminded':
      return isDropped(entry) ? 'REMINDER DROPPED' : 'REMINDED';
    case 'configured':
      return entry.problems === undefined ? 'CONFIGURATION CHANGED' : 'CONFIGURATION REFUSED';
    case 'tampered':
      return `TRAIL CHANGED ${entry.finding}`;
    case 'incident':
      return `INCIDENT ${entry.step.toUpperCase()}`;
    default:
      return entry.kind.toUpperCase();
  }
}

const isDropped = ({ kind, place }: RunEntry): boolean => kind === 'reminded' && place.message === undefined;

/** Maximum lengths in characters, so that all details together fit on a card. */
const longest = { options: 1000, facts: 300, said: 500, undo: 400, note: 2000, asked: 100 };

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

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

/** The other details of an entry, a sentence each. Omits options that the run's previous entry already had. */
export const detailsOf = (entry: Entry, format: Formatter, before?: RunEntry): Markup[] =>
  'run' in entry ? [...newOptions(entry, format, before), ...ofRun(entry, format)] : ofEvent(entry, format);

function newOptions({ options, run }: RunEntry, { server }: Formatter, before: RunEntry | undefined): Markup[] {
  const isNew = before === undefined || typedOptions(before.options) !== typedOptions(options);
  return isNew && !isEmpty(options)
    ? [
        md`Options: ${quote(
          typedOptions(options, (id) => server(id, run)),
          longest.options,
        )}.`,
      ]
    : [];
}

/** Details of a run's step. Leaves out the process and the card's text. */
function ofRun(entry: RunEntry, format: Formatter): Markup[] {
  switch (entry.kind) {
    case 'requested':
      return [md`Asked by ${format.person(entry.actor)}, who may not run it. Runs out ${format.time(entry.expires)}.`];
    case 'asked':
      return ofQuestion(entry, format);
    case 'confirmed':
      return [
        md`Confirmed by ${format.person(entry.actor)}.`,
        ...(entry.until === undefined ? [] : [md`Waits for an approval until ${format.time(entry.until)}.`]),
      ];
    case 'approved':
      return [md`Approved by ${format.person(entry.actor)}.`];
    case 'intent':
      return ofIntent(entry);
    case 'outcome':
    case 'denied':
      return [
        ...ofPressed(entry, format),
        ...ofFolded(entry, format),
        ...why(entry, format, entry.reason),
        ...ways(entry, format),
      ];
    case 'read-back':
      return [ofReadBack(entry.rules)];
    case 'resolved': {
      const word = entry.happened ? 'It happened.' : 'It did not happen.';
      const happened = trusted(entry.running === true ? 'It is under way.' : word);
      return [...ways(entry, format), happened, md`How they know: ${entry.why}`];
    }
    case 'reviewed':
      return [md`Reviewed by ${format.person(entry.actor)}: ${entry.why}`];
    case 'reminded':
    case 'pinged':
    case 'called':
      return isDropped(entry) ? [trusted('It was undone by then.')] : messageOf(entry, format);
    case 'follow-up':
      return ofFollowUp(entry, format);
  }
}

const ofQuestion = ({ facts, typed, glass, expires }: Kind<'asked'>, { time }: Formatter): Markup[] => [
  ...(glass === undefined ? [] : [md`**Break-glass**: ${glass}`]),
  ...(facts === undefined || isEmpty(facts)
    ? []
    : [md`Read for the question: ${quote(typedOptions(facts), longest.facts)}.`]),
  ...(typed === undefined ? [] : [md`To confirm, ${quote(typed)} is typed.`]),
  md`Runs out ${time(expires)}.`,
];

const ofIntent = ({ opens = [], closes = [], kept }: Kind<'intent'>): Markup[] => [
  ...(kept === undefined ? [] : [ofKept(kept)]),
  ...(opens.length === 0 ? [] : [md`Leaves open: ${list(opens.map(effectWords))}.`]),
  ...(closes.length === 0 ? [] : [md`Closes, where it was open: ${list(closes.map(effectWords))}.`]),
];

/** Why it ended, the details, and the panel's message. */
const why = (
  { detail, said }: Pick<Kind<'outcome'>, 'detail' | 'said'>,
  format: Formatter,
  reason?: Reason,
): Markup[] => [
  ...(reason === undefined ? [] : [md`${trusted(reasons[reason].why)} (${reason})`]),
  ...(detail === undefined ? [] : [format.detail(detail)]),
  ...(said === undefined ? [] : [md`${trusted(sayerOf(reason))}: ${quote(said, longest.said)}`]),
];

/** How to undo it, and when the reminder is due. */
const ways = (
  { undo, remind, run }: Kind<'outcome' | 'denied' | 'resolved'>,
  { server, time }: Formatter,
): Markup[] => [
  ...(undo === undefined
    ? []
    : [
        md`Undo: ${quote(`${typedName(undo.command)} ${typedOptions(undo.options, (id) => server(id, run))}`, longest.undo)}.`,
      ]),
  ...(remind === undefined ? [] : [md`To be reminded ${time(remind)}.`]),
];

/** The message of the step. */
const messageOf = ({ place }: RunEntry, format: Formatter): Markup[] =>
  place.message === undefined ? [] : [md`${format.message({ ...place, message: place.message })}.`];

function ofFollowUp(entry: Kind<'follow-up'>, format: Formatter): Markup[] {
  const { follow, job } = entry;
  const words = { restore: 'Restore job', power: 'Queue item' };
  return [
    ...(entry.step === 'ended' ? why(entry, format) : []),
    ...(follow === undefined || job === undefined ? [] : [md`${trusted(words[follow])} ${quote(String(job))}.`]),
    ...ofStep(entry, format),
    ...messageOf(entry, format),
  ];
}

function ofStep(entry: Kind<'follow-up'>, { person, time }: Formatter): Markup[] {
  switch (entry.step) {
    case 'started':
      return [md`Until ${time(entry.deadline)} at the latest.`];
    case 'handed-over':
      return [md`To ${person(entry.to)}.`];
    case 'reminded':
      return [md`Reminder ${entry.n}.`];
    case 'ended':
      return entry.by === undefined ? [] : [md`Says ${person(entry.by)}.`];
    case 'announced':
      // A stopped follow-up has no message; and with several servers, only the last to end has one.
      return entry.place.message === undefined ? [trusted('Without a message of its own.')] : [];
    default:
      return [];
  }
}

function ofConfiguration({ changed, owner, difference = [], problems }: Kind<'configured'>): Markup[] {
  const names = list(changed.map((name) => quote(name)));
  if (owner === undefined) return [md`Other than at the start before: ${names}.`];
  const kept = md`Process ${owner} keeps the one before.`;
  const head = problems === undefined ? md`Process ${owner}, without a restart: ${names}.` : kept;
  return [head, ...(problems ?? difference).map((line) => quote(line, longest.options))];
}

/** Entries that belong to no run. */
function ofEvent(entry: EventEntry, format: Formatter): Markup[] {
  const { person, time } = format;
  switch (entry.kind) {
    case 'started':
      return [md`Process ${entry.owner}, with ${quote(typedOptions(entry.facts), longest.options)}.`];
    case 'stopped':
      return [md`Process ${entry.owner}.`];
    case 'configured':
      return ofConfiguration(entry);
    case 'tampered': {
      const { from, to = from } = entry;
      const range = from === undefined ? [] : [trusted(from === to ? `Entry ${from}.` : `Entries ${from} to ${to}.`)];
      const unsaid = entry.unsaid === true ? [trusted('Discord does not say by whom.')] : [];
      return [md`Message ${quote(entry.message)}.`, ...range, ...unsaid];
    }
    case 'acknowledged':
      return [md`Findings: ${trusted(entry.findings.join(', '))}.`, md`Why: ${entry.why}`];
    case 'alerted':
      return [md`Findings up to entry ${entry.upTo}.`];
    case 'frozen':
    case 'thawed':
    case 'held':
    case 'released':
      return ofStop(entry, format);
    case 'incident':
      return [
        md`Thread ${quote(entry.incident)}.`,
        ...(entry.title === undefined ? [] : [md`${quote(entry.title)}`]),
        ...(entry.look === undefined || isEmpty(entry.look.options)
          ? []
          : [md`Options: ${quote(typedOptions(entry.look.options), longest.options)}.`]),
        ...(entry.note === undefined
          ? []
          : [md`${person(entry.note.author)} wrote ${time(entry.note.time)}: ${quote(entry.note.text, longest.note)}`]),
      ];
  }
}

/** " with `120…` and `121…`": the roles that a person had. */
export const withRoles = ({ roles }: Actor, role: (id: string) => Markup): Markup =>
  roles.length === 0 ? trusted(' without a role') : md` with ${list(roles.map(role))}`;

/** Quotes names that the policy would not allow: a ledger could hold one. */
export const serverOf = (server: { id: number; name?: string }): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,100}$/i.test(server.name)
    ? serverName(server)
    : md`${server.name} (${server.id})`;

/** "`/power boot` web-1 (101)", after a space; empty for an entry without a command. */
export function what(entry: Entry): Markup {
  if ('run' in entry) return asked(entry, entry.server === undefined ? askedOf(entry) : [serverOf(entry.server)]);
  if (entry.kind !== 'incident' || entry.look === undefined) return trusted('');
  const { look } = entry;
  return md`${asked(look, look.server === undefined ? [] : [serverOf(look.server)])}${trusted(lookEnd(look))}`;
}

const asked = ({ command }: { command: string }, on: readonly Markup[]): Markup =>
  joined([md` ${quote(typedName(command))}`, ...on], ' ');
