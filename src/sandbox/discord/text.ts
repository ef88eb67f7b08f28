import type { Guild } from './guild.ts';
import { splitCode } from './mentions.ts';

export interface Pings {
  pinged: string[];
  mentions: { users: string[]; roles: string[]; everyone: boolean };
}

/** Renders mentions, timestamps and escaped underscores as people read them; code stays unchanged. */
export function readable(guild: Guild, content: string, now: number, pings?: Pings): string {
  return splitCode(content)
    .map(({ text, code }) => (code ? text : unescaped(stamps(mentions(guild, text, pings), now))))
    .join('');
}

const unescaped = (text: string): string => text.replaceAll('\\_', '_');

function mentions(guild: Guild, text: string, pings: Pings | undefined): string {
  const nameOf = (all: readonly { id: string; name: string }[], id: string, unknown: string) =>
    all.find((one) => one.id === id)?.name ?? unknown;
  const mark = (really: boolean | undefined) => (really ? '(!)' : '');
  return text
    .replace(/<@!?(\d+)>/g, (_all, id: string) => {
      const name = nameOf([...guild.people, guild.bot], id, 'unknown-user');
      return `@${name}${mark(pings?.mentions.users.includes(id) && pings.pinged.includes(name))}`;
    })
    .replace(/<@&(\d+)>/g, (_all, id: string) => {
      const members = guild.people.filter((person) => person.roles.includes(id)).map((person) => person.name);
      const really = pings?.mentions.roles.includes(id) && members.some((name) => pings.pinged.includes(name));
      return `@${nameOf(guild.roles, id, 'unknown-role')}${mark(really)}`;
    })
    .replace(/@(everyone|here)\b/g, (all) => `${all}${mark(pings?.mentions.everyone && pings.pinged.length > 0)}`)
    .replace(/<#(\d+)>/g, (_all, id: string) => `#${nameOf([...guild.channels, ...guild.threads], id, 'unknown')}`)
    .replace(/<\/([^:>]+):\d+>/g, '/$1');
}

function stamps(text: string, now: number): string {
  return text.replace(/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/g, (_all, seconds: string, style: string | undefined) =>
    style === 'R' ? relative(Number(seconds) * 1000 - now) : absolute(Number(seconds) * 1000, style ?? 'f'),
  );
}

const UNITS: readonly [name: string, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

function relative(ms: number): string {
  const away = Math.round(Math.abs(ms) / 1000) * 1000;
  if (away === 0) return 'just now';
  const [name, unit] = UNITS.find(([, size]) => away >= size) ?? ['second', 1000];
  const count = Math.round(away / unit);
  const words = `${count} ${name}${count === 1 ? '' : 's'}`;
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

function absolute(ms: number, style: string): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const iso = date.toISOString();
  const [day, minutes, seconds] = [iso.slice(0, 10), iso.slice(11, 16), iso.slice(11, 19)];
  const long = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const weekday = date.toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });
  switch (style) {
    case 't':
      return `${minutes} UTC`;
    case 'T':
      return `${seconds} UTC`;
    case 'd':
      return day;
    case 'D':
      return long;
    case 'F':
      return `${weekday}, ${long} ${minutes} UTC`;
    case 's':
      return `${day} ${minutes} UTC`;
    case 'S':
      return `${day} ${seconds} UTC`;
    default:
      return `${long} ${minutes} UTC`;
  }
}
