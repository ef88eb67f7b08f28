import { joined, list, type Markup, md, own, quote, serverName } from '../card.ts';
import type { Entry, EventEntry, FollowStep, RunEntry } from '../ledger/entry.ts';
import type { Actor, RawOptions } from '../outcome.ts';
import { reasons } from '../reasons.ts';

/** How people and times are written: differently on a card and in a file. `detail` is markup that was made for cards. */
export interface Voice {
  person(who: { id: string; name: string }): Markup;
  /** ISO time. */
  time(iso: string): Markup;
  detail(markup: string): Markup;
}

const steps: Record<FollowStep, string> = {
  started: 'FOLLOWING',
  moved: 'CARD MOVED',
  'handed-over': 'HANDED OVER',
  reminded: 'REMINDED',
  ended: 'ENDED',
  announced: 'ANNOUNCED',
};

/** What an entry stands for, in capitals, as the trail has it. */
export function deedOf(entry: Entry): string {
  switch (entry.kind) {
    case 'asked':
      return 'QUESTION';
    case 'intent':
      return 'SENT';
    case 'outcome':
    case 'denied':
      return (entry.outcome ?? entry.kind).toUpperCase();
    case 'follow-up':
      return entry.step === 'ended' ? (entry.end ?? 'unknown').toUpperCase() : steps[entry.step ?? 'started'];
    case 'configured':
      return 'CONFIGURATION CHANGED';
    case 'tampered':
      return `TRAIL CHANGED ${entry.finding}`;
    case 'incident':
      return `INCIDENT ${entry.step.toUpperCase()}`;
    default:
      return entry.kind.toUpperCase();
  }
}

/** "/power boot" for "power.boot" */
export const typedName = (command: string): string => `/${command.replace('.', ' ')}`;

/** In characters: together they fit on a card. */
const longest = { options: 1000, facts: 300, said: 500, undo: 400, note: 2000 };

/** "server:101 sync:true", by name. */
const written = (members: RawOptions, most: number): Markup =>
  quote(
    Object.entries(members)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}:${value}`)
      .join(' '),
    most,
  );

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

/** Everything else that an entry says, a sentence each. Options that the entry before it of its run had are not told again. */
export const tell = (entry: Entry, voice: Voice, before?: RunEntry): Markup[] =>
  'run' in entry
    ? [...ofRun(entry, before), ...ofEnd(entry, voice), ...ofFollowUp(entry, voice)]
    : ofEvent(entry, voice);

/** What was asked for, and what was to be done. */
function ofRun(entry: RunEntry, before: RunEntry | undefined): Markup[] {
  const { options, facts, typed, owner, opens, closes } = entry;
  const isNew =
    before === undefined ||
    written(before.options, longest.options).markup !== written(options, longest.options).markup;
  return [
    ...(isNew && !isEmpty(options) ? [md`Options: ${written(options, longest.options)}.`] : []),
    ...(facts === undefined || isEmpty(facts) ? [] : [md`Read for the question: ${written(facts, longest.facts)}.`]),
    ...(typed === undefined ? [] : [md`To confirm, ${quote(typed)} is typed.`]),
    ...(owner === undefined ? [] : [md`By process ${owner}.`]),
    ...(opens === undefined || opens.length === 0
      ? []
      : [md`Leaves loose: ${list(opens.map((each) => quote(each)))}.`]),
    ...(closes === undefined || closes.length === 0
      ? []
      : [md`Puts in order: ${list(closes.map((each) => quote(each)))}.`]),
  ];
}

/** Why it ended so, what it came to, how it is taken back, and what somebody said of it since. */
function ofEnd({ reason, detail, said, undo, remind, happened, why, expires }: RunEntry, voice: Voice): Markup[] {
  return [
    ...(expires === undefined ? [] : [md`Runs out ${voice.time(expires)}.`]),
    ...(reason === undefined ? [] : [md`${own(reasons[reason].why)} (${reason})`]),
    ...(detail === undefined ? [] : [voice.detail(detail)]),
    ...(said === undefined ? [] : [md`The panel says: ${quote(said, longest.said)}`]),
    ...(undo === undefined
      ? []
      : [md`Undo: ${quote(typedName(undo.command))} ${written(undo.options, longest.undo)}.`]),
    ...(remind === undefined ? [] : [md`To be reminded ${voice.time(remind)}.`]),
    ...(happened === undefined ? [] : [own(happened ? 'It happened.' : 'It did not happen.')]),
    ...(why === undefined ? [] : [md`How they know: ${why}`]),
  ];
}

function ofFollowUp({ kind, follow, job, deadline, to, n, by, place }: RunEntry, voice: Voice): Markup[] {
  const moved = kind === 'follow-up' || kind === 'reminded' ? place.message : undefined;
  return [
    ...(follow === undefined
      ? []
      : [md`${own(follow === 'restore' ? 'Restore job' : 'Queue item')} ${quote(String(job))}.`]),
    ...(deadline === undefined ? [] : [md`Until ${voice.time(deadline)} at the latest.`]),
    ...(to === undefined ? [] : [md`To ${voice.person(to)}.`]),
    ...(n === undefined ? [] : [md`Reminder ${n}.`]),
    ...(by === undefined ? [] : [md`Says ${voice.person(by)}.`]),
    ...(moved === undefined ? [] : [md`Message ${quote(moved)}.`]),
  ];
}

/** What is no run. */
function ofEvent(entry: EventEntry, { person, time }: Voice): Markup[] {
  switch (entry.kind) {
    case 'started':
      return [md`Process ${entry.owner}, with ${written(entry.facts, longest.options)}.`];
    case 'stopped':
      return [md`Process ${entry.owner}.`];
    case 'configured':
      return [md`Other than at the start before: ${list(entry.changed.map((name) => quote(name)))}.`];
    case 'tampered': {
      const { from, to = from } = entry;
      const range = from === undefined ? [] : [own(from === to ? `Entry ${from}.` : `Entries ${from} to ${to}.`)];
      const unsaid = entry.unsaid === true ? [own('Discord does not say by whom.')] : [];
      return [md`Message ${quote(entry.message)}.`, ...range, ...unsaid];
    }
    case 'incident':
      return [
        md`Thread ${quote(entry.incident)}.`,
        ...(entry.title === undefined ? [] : [md`${quote(entry.title)}`]),
        ...(entry.note === undefined
          ? []
          : [md`${person(entry.note.author)} wrote ${time(entry.note.time)}: ${quote(entry.note.text, longest.note)}`]),
      ];
  }
}

/** "`alice`, with `120…` and `121…`": who, and their roles at that time, by id. */
export const withRoles = ({ roles }: Actor, role: (id: string) => Markup): Markup =>
  roles.length === 0 ? own(' without a role') : md` with ${list(roles.map(role))}`;

/** The policy allows no other names; a ledger could hold any. */
export const serverOf = (server: { id: number; name?: string }): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,100}$/i.test(server.name)
    ? serverName(server)
    : md`${server.name} (${server.id})`;

/** "`/power boot` web-1 (101)", after a space; nothing for what is no run. */
export function what(entry: Entry): Markup {
  if (!('run' in entry)) return own('');
  const command = quote(typedName(entry.command));
  return entry.server === undefined ? md` ${command}` : joined([md` ${command}`, serverOf(entry.server)], ' ');
}
