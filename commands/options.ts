import { type Markup, md, moment, quote, trusted } from '../src/card.ts';
import type { Choice, Option, SuggestContext } from '../src/command.ts';
import type { Actor, Server } from '../src/outcome.ts';

const mostServers = 10;

const label = (server: Server): string =>
  [server.name ?? String(server.id), server.id, server.tier, server.ips?.[0]]
    .filter((part) => part !== undefined)
    .join(' · ')
    // Discord's limit for the name of a choice.
    .slice(0, 100);

/** `server`: one, by name or id. */
export const server: Option<Server> = {
  type: 'string',
  description: 'The server: name or id',
  required: true,
  max: 100,
  suggest: ({ typed, suggest }) => suggest(typed).map((found) => ({ name: label(found), value: String(found.id) })),
  read(raw, { find, refuse }) {
    const text = String(raw).trim();
    if (text.includes(',')) refuse('this command takes one server');
    return find(text) ?? refuse(notFound(text));
  },
  write: (value) => String(value.id),
};

/** The same, but it may be left out. */
export const maybeServer: Option<Server | undefined> = {
  ...server,
  required: false,
  read: (raw, context) => (raw === undefined ? undefined : server.read(raw, context)),
  write: (value) => (value === undefined ? undefined : server.write(value)),
};

const notFound = (text: string): string =>
  `the policy names no server ${quote(text, 40).markup}. Type a name or an id, or pick a suggestion`;

/** `server`*: up to ten, with commas; one run each. */
export const servers: Option<readonly Server[]> = {
  type: 'string',
  description: 'Up to ten servers: names or ids, with commas',
  required: true,
  max: 400,
  suggest: suggestServers,
  read(raw, { find, refuse }) {
    const texts = pieces(String(raw));
    if (texts.length === 0) refuse('name at least one server');
    if (texts.length > mostServers) refuse(`at most ${mostServers} servers in one command`);
    const found = texts.map((text) => find(text) ?? refuse(notFound(text)));
    if (new Set(found.map(({ id }) => id)).size < found.length) refuse('a server is named twice');
    return found;
  },
  write: (value) => value.map(({ id }) => id).join(','),
};

/** Completes the last of several names and keeps the ones before it. */
function suggestServers({ typed, suggest, find }: SuggestContext): Choice[] {
  const cut = typed.lastIndexOf(',') + 1;
  const before = pieces(typed.slice(0, cut));
  const ids = before.map((text) => find(text)?.id ?? text);
  const shown = before.map((text) => find(text)?.name ?? text);
  return suggest(typed.slice(cut).trim())
    .filter(({ id }) => !ids.includes(id))
    .map((found) => ({ name: [...shown, label(found)].join(', ').slice(-100), value: [...ids, found.id].join(',') }))
    .filter(({ value }) => value.length <= 100);
}

/** The pieces of a list with commas, trimmed, without empty ones. */
export const pieces = (text: string): string[] =>
  text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

export type NetworkInterface = 'primary' | 'secondary';

export const networkInterface: Option<NetworkInterface> = {
  type: 'string',
  description: 'The network interface; primary when left out',
  choices: [
    { name: 'primary', value: 'primary' },
    { name: 'secondary', value: 'secondary' },
  ],
  read(raw, { refuse }) {
    if (raw === undefined || raw === 'primary') return 'primary';
    return raw === 'secondary' ? raw : refuse('primary or secondary');
  },
  write: (value) => value,
};

export const sync: Option<boolean> = {
  type: 'boolean',
  description: 'Apply to the running server now (yes when left out); no: store only',
  read: (raw) => raw !== false,
  write: (value) => value,
};

/** Why it is done: for the ledger and the card. */
export const reason: Option<string | undefined> = {
  type: 'string',
  description: 'Why: kept in the ledger and shown on the card',
  max: 200,
  read: (raw) => (raw === undefined || String(raw).trim() === '' ? undefined : String(raw).trim()),
  write: (value) => value,
};

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const soonest = 5 * 60_000;
const latest = 7 * 86_400_000;

/** `remind`: after how long the actor is reminded of what is still open, in ms. */
export const remind: Option<number | undefined> = {
  type: 'string',
  description: 'Ping me after this time, unless it was undone: 30m, 2h, 1d',
  max: 10,
  read(raw, { refuse }) {
    if (raw === undefined || String(raw).trim() === '') return undefined;
    const [, amount, unit = ''] = /^(\d{1,5}) ?([mhd])$/.exec(String(raw).trim().toLowerCase()) ?? [];
    const ms = Number(amount) * (units[unit] ?? Number.NaN);
    return ms >= soonest && ms <= latest
      ? ms
      : refuse('a time from 5m to 7d: a whole number with m, h or d, such as 2h');
  },
  write(ms) {
    if (ms === undefined) return undefined;
    const unit = ['d', 'h'].find((each) => ms % (units[each] ?? Number.NaN) === 0) ?? 'm';
    return `${ms / (units[unit] ?? 1)}${unit}`;
  },
};

/** Somebody who can be pinged here. */
export const person: Option<Actor> = {
  type: 'user',
  description: 'A person of this guild',
  required: true,
  read: (raw, { people = [], refuse }) =>
    people.find(({ id }) => id === raw) ?? refuse('a person of this guild, and no bot: nobody else sees a ping here'),
  write: ({ id }) => id,
};

/** A whole number between two bounds. */
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
    write: (value) => value,
  };
}

/** The same, but it may be left out. */
function maybeWhole(description: string, min: number, max: number): Option<number | undefined> {
  const { required, ...given } = whole(description, min, max);
  return { ...given, read: (raw, context) => (raw === undefined ? undefined : given.read(raw, context)) };
}

/** Any id or page: Discord's own bound for integers. */
export const largest = Number.MAX_SAFE_INTEGER;

export const page = maybeWhole('The page of the list; the first when left out', 1, 100_000);
export const results = maybeWhole('How many to read at once, 1 to 200; 20 when left out', 1, 200);

/** Whether it holds at once, or is only stored. */
export const whenApplied = (now: boolean): Markup =>
  trusted(
    now
      ? 'Applied to the running server at once.'
      : 'Only stored: the running server stays as it is until somebody applies it.',
  );

/** How to look at something with a command of ours. */
export const lookWith = (line: string): Markup => md`To check: ${quote(line)}.`;

/** A moment in the reader's own time zone, and how long ago. */
export const momentAndAge = (seconds: number): Markup =>
  trusted(`${moment(seconds * 1000, 'f').markup} (${moment(seconds * 1000).markup})`);
