import { lookalike, type Markup, md, moment, oneLine, quote, shortName, trusted, typedText } from '../src/card.ts';
import type { Choice, Option, ParseContext, SuggestContext, Team } from '../src/command.ts';
import type { Actor, RawOptions, Server } from '../src/outcome.ts';
import { didYouMean, isBlank } from '../src/text.ts';
import { clockText, durationOf, durationText, momentOf } from '../src/time.ts';
import { suggestTimes } from './suggest-times.ts';

const label = (server: Server): string =>
  [
    server.name ?? String(server.id),
    server.id,
    server.tier,
    server.suspended && 'suspended',
    server.protected && 'protected',
    server.ips?.[0],
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
    // Discord's limit for the name of a choice.
    .slice(0, 100);

/** `server`: one server, by name, id or address. */
export const server: Option<Server> = {
  type: 'string',
  description: 'The server: name, id or address',
  example: 'web-1',
  required: true,
  max: 100,
  suggest: ({ typed, suggest, near }) =>
    orNear(suggest(typed), typed, near).map((found) => ({ name: label(found), value: String(found.id) })),
  read(raw, { find, near, refuse }) {
    const text = String(raw).trim();
    if (text.includes(',')) refuse('this command takes one server');
    return find(text) ?? refuse(notFound(text, near));
  },
  write: (value) => String(value.id),
  servers: (value) => [value],
};

/** An option that may be left out. */
export const maybe = <T>(option: Option<T>): Option<T | undefined> => ({
  ...option,
  required: false,
  read: (raw, context) => (raw === undefined ? undefined : option.read(raw, context)),
  write: option.write && ((value) => (value === undefined ? undefined : option.write?.(value))),
  servers: (value) => (value === undefined ? [] : (option.servers?.(value) ?? [])),
});

export const maybeServer = maybe(server);

/** Nothing fits what is typed: perhaps a finger slipped. */
const orNear = (found: readonly Server[], typed: string, near: ParseContext['near']): readonly Server[] =>
  found.length === 0 ? (near?.(typed) ?? []) : found;

function notFound(text: string, near: ParseContext['near']): string {
  const names = (near?.(text) ?? []).map((each) => each.name ?? String(each.id));
  const next = didYouMean(names) || ' Type a name, an id or an address, or pick a suggestion';
  return `the policy names no server ${quote(text, 40).markup}.${lookalike(text)}${next}`;
}

/** `server`*: several, with commas; one run each. Its tiers, groups and globs were spelled out before. */
export const servers: Option<readonly Server[]> = {
  type: 'string',
  description: 'Servers, with commas: names, ids, addresses, tier:NAME, group:ID, globs (web-*)',
  required: true,
  max: 400,
  several: 'always',
  suggest: suggestServers,
  read(raw, { find, near, refuse }) {
    const texts = pieces(String(raw));
    if (texts.length === 0) refuse('name at least one server');
    const found = new Map(
      texts.map((text) => {
        const one = find(text) ?? refuse(notFound(text, near));
        return [one.id, one];
      }),
    );
    return [...found.values()];
  },
  write: (value) => value.map(({ id }) => id).join(','),
  servers: (value) => value,
};

/** The same for commands that take one, unless the policy allows them several. */
export const serversWhereAllowed: Option<readonly Server[]> = {
  ...servers,
  description: 'The server: name, id or address; several where the policy allows it',
  several: 'where-allowed',
};

/** Completes the last of several names and keeps the others. */
function suggestServers({ typed, suggest, near, named, selectors, most }: SuggestContext): Choice[] {
  const cut = typed.lastIndexOf(',') + 1;
  const before = pieces(typed.slice(0, cut)).map((text) => ({ text, servers: named(text) }));
  const known = new Map(before.flatMap(({ servers: each }) => each.map((one) => [one.id, one])));
  // With one that is not theirs, whatever is added is denied; with as many as may, it is one too many.
  if (known.size >= most || before.some(({ servers: each }) => each.length === 0)) return [];
  const kept = before.map(({ text, servers: [only, ...more] }) => (more.length > 0 || !only ? text : only.id));
  const shown = before.map(({ text, servers: [only, ...more] }) => (more.length > 0 || !only ? text : shortName(only)));
  const last = typed.slice(cut).trim();
  const groups = most === 1 ? [] : selectors(last).filter((each) => isMore(each.servers, known, most));
  const found = suggest(last);
  return [
    ...(groups.length === 0 ? orNear(found, last, near) : found)
      .filter(({ id }) => !known.has(id))
      .slice(0, maxChoices - groups.length)
      .map((each) => ({ name: label(each), value: String(each.id) })),
    ...groups.map(({ text, servers: each }) => ({ name: groupLabel(text, each), value: text })),
  ]
    .map(({ name, value }) => ({ name: [...shown, name].join(', ').slice(-100), value: [...kept, value].join(',') }))
    .filter(({ value }) => value.length <= 100);
}

/** What Discord shows at once. */
const maxChoices = 25;

/** Whether they bring in others, and not too many. */
function isMore(all: readonly Server[], known: ReadonlyMap<number, Server>, most: number): boolean {
  const others = all.filter(({ id }) => !known.has(id)).length;
  return others > 0 && known.size + others <= most;
}

/** "tier:staging · 2 servers: web-3, cache-1" */
const groupLabel = (text: string, all: readonly Server[]): string =>
  `${text} · ${all.length} servers: ${all.map(shortName).join(', ')}`.slice(0, 100);

/** The items of a comma-separated list, trimmed, without empty ones. */
export const pieces = (text: string): string[] =>
  text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

export type NetworkInterface = 'primary' | 'secondary';

/** One of these words; `otherwise` when left out. */
export const oneOf = <T extends string, D extends T | undefined>(
  description: string,
  words: readonly T[],
  rule: string,
  otherwise: D,
): Option<T | D> => ({
  type: 'string',
  description,
  choices: words.map((word) => ({ name: word, value: word })),
  read: (raw, { refuse }) => (raw === undefined ? otherwise : (words.find((word) => word === raw) ?? refuse(rule))),
});

export const networkInterface = oneOf<NetworkInterface, 'primary'>(
  'The network interface; primary when left out',
  ['primary', 'secondary'],
  'write primary or secondary',
  'primary',
);

export const sync: Option<boolean> = {
  type: 'boolean',
  description: 'Apply to the running server now (yes when left out); no: store only',
  read: (raw) => raw !== false,
};

export const reason: Option<string | undefined> = {
  type: 'string',
  description: 'Why: kept in the ledger and shown on the card',
  example: 'disk full',
  max: 200,
  read: (raw) => typedText(String(raw ?? '')) || undefined,
};

/** Text that has to be there: a line of which people see something. */
export function readableLine(raw: RawOptions[string] | undefined, { refuse }: { refuse(rule: string): never }): string {
  const text = String(raw ?? '');
  return isBlank(text) ? refuse('it has no readable text') : oneLine(text);
}

/** A time in the past, in ms; in canonical form, Unix seconds. `end`: a date alone is with that day. */
export const pastMoment = (description: string, end = false): Option<number | undefined> => ({
  type: 'string',
  description,
  isTime: true,
  example: 'yesterday 22:00',
  max: 30,
  suggest: (context) => suggestTimes(context, 'past', end),
  read(raw, { now, team: { zone }, refuse }) {
    if (raw === undefined || String(raw).trim() === '') return undefined;
    const at = momentOf(String(raw), { now, zone, toward: 'past', end });
    return typeof at === 'number' ? at : refuse(at.rule);
  },
  write: (ms) => (ms === undefined ? undefined : String(ms / 1000)),
});

const soonest = 5 * 60_000;
const latest = 7 * 86_400_000;

/** How long after a change, in ms; `at` if a clock or a date was typed, in ms. */
export interface Later {
  ms: number;
  at?: number;
}

/** `remind`: when to remind the actor of effects that are still open. */
export const remind: Option<Later | undefined> = {
  type: 'string',
  description: 'Ping me then, unless it was undone: 2h, 1d or 22:00',
  isTime: true,
  example: '2h',
  max: 30,
  suggest: (context) => suggestTimes(context, 'future'),
  read(raw, { now, team: { zone }, refuse }) {
    const typed = String(raw ?? '').trim();
    if (typed === '') return undefined;
    const at = momentOf(typed, { now, zone, toward: 'future' });
    if (typeof at !== 'number') return refuse(at.rule);
    const duration = durationOf(typed);
    const later = duration === undefined ? { ms: at - now, at } : { ms: duration };
    // In canonical form it was soon enough when it was typed; the person may confirm it minutes later.
    const least = /^\d+$/.test(typed) ? 1 : soonest;
    return later.ms >= least && later.ms <= latest
      ? later
      : refuse('write a time 5m to 7d from now, such as 2h, 22:00 or tomorrow 8:00');
  },
  write: (later) => later && (later.at === undefined ? durationText(later.ms) : String(later.at / 1000)),
};

/** For the question of a change. */
export const reminderNote = (later: Later | undefined, team: Team): Markup[] =>
  later === undefined
    ? []
    : [
        later.at === undefined
          ? trusted(`You will be reminded ${durationText(later.ms)} after it is done.`)
          : md`You will be reminded at ${clockAndMoment(later.at / 1000, team)}.`,
      ];

/** A person who can be pinged here. */
export const person: Option<Actor> = {
  type: 'user',
  description: 'A person of this guild',
  required: true,
  read: (raw, { people = [], refuse }) =>
    people.find(({ id }) => id === raw) ??
    refuse('pick a person of this guild, and no bot: nobody else sees a ping here'),
  write: ({ id }) => id,
};

/** An integer between two bounds. */
export function whole(description: string, min: number, max: number): Option<number> & { required: true } {
  return {
    type: 'integer',
    description,
    required: true,
    min,
    max,
    read(raw, { refuse }) {
      const value = typeof raw === 'number' ? raw : Number.NaN;
      return Number.isSafeInteger(value) && value >= min && value <= max
        ? value
        : refuse(max === largest ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`);
    },
  };
}

/** The same, but it may be left out. */
export const maybeWhole = (...of: Parameters<typeof whole>): Option<number | undefined> => maybe(whole(...of));

/** Any id or page: Discord's own limit for integers. */
export const largest = Number.MAX_SAFE_INTEGER;

export const page = maybeWhole('The page of the list; the first when left out', 1, 100_000);
export const results = maybeWhole('How many to read at once, 1 to 200; 20 when left out', 1, 200);

/** Whether the change is applied at once or only stored. */
export const whenApplied = (now: boolean): Markup =>
  trusted(
    now
      ? 'To be applied to the running server at once.'
      : 'Only stored: the running server stays as it is until somebody applies it.',
  );

/** How to check something with one of the bot's commands. */
export const lookWith = (line: string): Markup => md`To check: ${quote(line)}.`;

/** A time in the zone in which it was typed; then in the reader's, and how long ago that is. */
export const clockAndMoment = (seconds: number, { zone }: Team): Markup =>
  md`${trusted(clockText(seconds * 1000, zone))} (${moment(seconds * 1000, 'f')} for you, ${moment(seconds * 1000)})`;
