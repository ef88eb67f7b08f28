import { joined, list, type Markup, md, own, quote, serverName } from '../card.ts';
import type { Entry, EventEntry, FollowStep, RunEntry } from '../ledger/entry.ts';
import type { Actor, RawOptions } from '../outcome.ts';
import { reasons } from '../reasons.ts';

/** How people and times are written: differently on a card and in a file. `detail` is markup that was made for cards. */
export interface Voice {
  person(who: { id: string; name: string }): Markup;
  /** By the id of a server, its name where there is one. */
  server(id: string): string | undefined;
  message(place: RunEntry['place'] & { message: string }): Markup;
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
    case 'reminded':
      return isDropped(entry) ? 'REMINDER DROPPED' : 'REMINDED';
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

/** Nobody is pinged about what was undone by then. */
const isDropped = ({ kind, place }: RunEntry): boolean => kind === 'reminded' && place.message === undefined;

/** "/power boot" for "power.boot" */
export const typedName = (command: string): string => `/${command.replace('.', ' ')}`;

/** In characters: together they fit on a card. */
const longest = { options: 1000, facts: 300, said: 500, undo: 400, note: 2000, asked: 100 };

/** The server first and the reason last, else by name. */
const rank = (name: string): string => `${name === 'server' ? 0 : name === 'reason' ? 2 : 1}${name}`;

/** `server:web-1 disks:0 reason:"disk is gone"`, as it is typed. `nameOf` gives a server's name by its id. */
export const typedOptions = (
  options: RawOptions,
  nameOf: (id: string) => string | undefined = () => undefined,
): string =>
  Object.entries(options)
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([name, value]) => {
      const ids = name === 'server' ? String(value).split(',') : [];
      const text = name === 'server' ? ids.map((id) => nameOf(id) ?? id).join(',') : String(value);
      return `${name}:${/^[^\s"]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`}`;
    })
    .join(' ');

/** What was typed for the server, where a run has none of its own: a denial comes before it is looked up. */
export const askedOf = ({ server, options }: RunEntry): Markup[] =>
  server === undefined && options.server !== undefined
    ? [quote(typedOptions({ server: options.server }), longest.asked)]
    : [];

/** The names that these entries have for servers, by id; the newest of several. */
export function serverNames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const entry of entries)
    if ('run' in entry && entry.server?.name !== undefined) names.set(String(entry.server.id), entry.server.name);
  return names;
}

const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

/** Everything else that an entry says, a sentence each. Options that the entry before it of its run had are not told again. */
export const tell = (entry: Entry, voice: Voice, before?: RunEntry): Markup[] =>
  'run' in entry
    ? [...ofRun(entry, voice, before), ...ofEnd(entry, voice), ...ofFollowUp(entry, voice)]
    : ofEvent(entry, voice);

/** What was asked for, and what was to be done. Which process did it is for other formats. */
function ofRun(entry: RunEntry, voice: Voice, before: RunEntry | undefined): Markup[] {
  const { options, facts, typed, opens = [], closes = [] } = entry;
  const isNew = before === undefined || typedOptions(before.options) !== typedOptions(options);
  const shown = quote(typedOptions(options, voice.server), longest.options);
  return [
    ...(isNew && !isEmpty(options) ? [md`Options: ${shown}.`] : []),
    ...(facts === undefined || isEmpty(facts)
      ? []
      : [md`Read for the question: ${quote(typedOptions(facts), longest.facts)}.`]),
    ...(typed === undefined ? [] : [md`To confirm, ${quote(typed)} is typed.`]),
    ...(opens.length === 0 ? [] : [md`Leaves loose: ${list(opens.map(looseEnd))}.`]),
    ...(closes.length === 0 ? [] : [md`Settles, where it was loose: ${list(closes.map(looseEnd))}.`]),
  ];
}

/** What intents call loose, in words; what this does not know stays as it stands. */
function looseEnd(what: string): Markup {
  const [, kind, side = '', network] =
    /^(firewall-off|unapplied firewall|whitelist) (primary|secondary)(?: (\S+))?$/.exec(what) ?? [];
  if (kind === 'whitelist' && network !== undefined) return md`${network} on the whitelist (${own(side)} interface)`;
  if (kind === 'firewall-off') return own(`firewall disabled (${side} interface)`);
  if (kind === 'unapplied firewall') return own(`firewall stored and not applied (${side} interface)`);
  if (what === 'unapplied throttle') return own('throttle stored and not applied');
  if (what === 'throttle') return own('throttle set');
  return what === 'down' ? own('server shut down') : quote(what);
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
      : [md`Undo: ${quote(`${typedName(undo.command)} ${typedOptions(undo.options, voice.server)}`, longest.undo)}.`]),
    ...(remind === undefined ? [] : [md`To be reminded ${voice.time(remind)}.`]),
    ...(happened === undefined ? [] : [own(happened ? 'It happened.' : 'It did not happen.')]),
    ...(why === undefined ? [] : [md`How they know: ${why}`]),
  ];
}

function ofFollowUp(entry: RunEntry, voice: Voice): Markup[] {
  const { kind, follow, job, deadline, to, n, by, place } = entry;
  const moved = kind === 'follow-up' || kind === 'reminded' ? place.message : undefined;
  return [
    ...(follow === undefined
      ? []
      : [md`${own(follow === 'restore' ? 'Restore job' : 'Queue item')} ${quote(String(job))}.`]),
    ...(deadline === undefined ? [] : [md`Until ${voice.time(deadline)} at the latest.`]),
    ...(to === undefined ? [] : [md`To ${voice.person(to)}.`]),
    ...(n === undefined ? [] : [md`Reminder ${n}.`]),
    ...(by === undefined ? [] : [md`Says ${voice.person(by)}.`]),
    ...(moved === undefined ? [] : [md`${voice.message({ ...place, message: moved })}.`]),
    ...(isDropped(entry) ? [own('It was undone by then.')] : []),
  ];
}

/** What is no run. */
function ofEvent(entry: EventEntry, { person, time }: Voice): Markup[] {
  switch (entry.kind) {
    case 'started':
      return [md`Process ${entry.owner}, with ${quote(typedOptions(entry.facts), longest.options)}.`];
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
  const on = entry.server === undefined ? askedOf(entry) : [serverOf(entry.server)];
  return joined([md` ${quote(typedName(entry.command))}`, ...on], ' ');
}

/** A link to where the card of a run is now; none for a run that has no card. */
export function cardOf(entries: readonly RunEntry[]): Markup[] {
  const followed = entries.findLast(({ step }) => step === 'started' || step === 'moved');
  const shown = followed ?? entries.findLast(({ kind, place }) => kind !== 'reminded' && place.message !== undefined);
  const { guild, channel, message } = shown?.place ?? {};
  return message === undefined ? [] : [own(`[card](https://discord.com/channels/${guild}/${channel}/${message})`)];
}
