import { linkTo, type Markup, md, moment, quote, serverName, threadLink, trusted } from '../card.ts';
import type { RawOptions } from '../outcome.ts';
import type { IncidentRead, Kind, RunEntry, Step } from '../runs/entry.ts';
import type { Stop } from '../runs/freezes.ts';

/** What things are called wherever people read of them: commands, options, people, servers. */

/** "/power boot" for "power.boot" */
export const typedName = (command: string): string => `/${command.replace('.', ' ')}`;

/** The server first, the reason last, the rest by name. */
const rank = (name: string): string => `${name === 'server' ? 0 : name === 'reason' ? 2 : 1}${name}`;

/** The options as typed: `server:web-1 disks:0 reason:"disk is gone"`. `nameOf` gives a server's name by id. */
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

/** The most letters of a text from outside in a line of the trail: people read it on a phone. */
export const inLine = { text: 60, options: 120 };

export const short = (text: string): Markup => quote(text, inLine.text);

/** Whether the id is a Discord user's. The bot acting on its own has none. */
export const isPerson = ({ id }: { id: string }): boolean => /^\d{17,20}$/.test(id);

/** Pings nobody where the message allows no mentions. Without a user's id, shows the name. */
export const mention = (who: { id: string; name: string }, longest?: number): Markup =>
  isPerson(who) ? trusted(`<@${who.id}>`) : quote(who.name, longest);

/** What a person said of an unknown run. */
export const saidOf = ({ happened, running }: Kind<'resolved'>): string => {
  if (running === true) return 'IS RUNNING';
  return happened ? 'HAPPENED' : 'DID NOT HAPPEN';
};

/** Who says that it ended so, if a person does. */
export function saysOf(last: Step<'ended'> | Kind<'resolved'> | undefined): Markup {
  if (last === undefined) return trusted('');
  const by = last.kind === 'resolved' ? last.actor : (last.by ?? last.actor);
  return isPerson(by) ? md`, says ${mention(by)}:` : trusted('');
}

/** "web-1 (101)". Quotes names that the policy would not allow: a ledger could hold one. */
export const serverOf = (server: { id: number; name?: string }, longest?: number): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,63}$/i.test(server.name)
    ? serverName(server)
    : md`${quote(server.name, longest)} (${server.id})`;

const isId = (text: string): boolean => /^\d{1,20}$/.test(text);

/** A link to a message, or without one to a channel. Empty if an id is none. */
export function link(words: string, guild: string, channel: string, message?: string): Markup[] {
  if (![guild, channel, message ?? '0'].every(isId)) return [];
  return [
    message === undefined ? threadLink(words, { guild, id: channel }) : linkTo(words, { guild, channel, message }),
  ];
}

/** "#4–#6": entries by `seq`. */
export const seqRange = (from: number, to = from): string => (to === from ? `#${from}` : `#${from}–#${to}`);

/** What is frozen: "all servers", "tier `production`". */
export const scopeOf = ({ tier }: Pick<Kind<'frozen'>, 'tier'>): Markup =>
  tier === undefined ? trusted('all servers') : md`tier ${tier}`;

/** `/thaw`, `/thaw tier:production`: what ends a freeze. */
export const thawLine = (tier: string | undefined): string =>
  tier === undefined ? '/thaw' : `/thaw tier:${/\s/.test(tier) ? `"${tier}"` : tier}`;

/** "22 November 2026 22:00 (in 2 hours) by @alice: `migration`" */
const ending = ({ until, actor, why }: Stop): Markup => {
  const at = Date.parse(until);
  // An end that cannot be read never comes.
  const end = Number.isNaN(at) ? md`${until}` : md`${moment(at, 'f')} (${moment(at)})`;
  return md`${end} by <@${trusted(actor.id)}>: ${why}`;
};

/** "All servers are frozen until … by @alice: `migration`"; "Held until … by @bob: `disk swap`" */
export const stopLine = (stop: Stop): Markup =>
  stop.kind === 'frozen' ? md`${frozen(stop)} frozen until ${ending(stop)}` : md`Held until ${ending(stop)}`;

const frozen = ({ tier }: Pick<Kind<'frozen'>, 'tier'>): Markup =>
  tier === undefined ? trusted('All servers are') : md`Tier ${tier} is`;

/** Words in a file, which resolves no ids and no timestamps as Discord does. */

/** "2026-11-20 08:15:30 UTC" */
export const utcTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
export const asCode = (text: string, most?: number): string => quote(text, most).markup;
export const nameAsCode = ({ name }: { name: string }): string => asCode(name);

/** Replaces Discord's timestamps: a time that is followed by how long that is, once. */
export const withUtcTimes = (markup: string): string =>
  markup
    .replaceAll(/(<t:(\d+):\w>) \(<t:\2:R>\)/g, '$1')
    .replaceAll(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) => utcTime(Number(seconds) * 1000));

/** "`/backup restore` on web-1 (101) with `disks:0`" */
export function whatOf({ command, options, server }: Pick<RunEntry, 'command' | 'options' | 'server'>): string {
  // The reason has its own place, and so has the server if it is known.
  const { reason: _, server: asked, ...others } = options;
  const typed = typedOptions({ ...others, ...(server === undefined && asked !== undefined ? { server: asked } : {}) });
  const on = server === undefined ? '' : ` on ${server.name ?? 'server'} (${server.id})`;
  return `${asCode(typedName(command))}${on}${typed === '' ? '' : ` with ${asCode(typed)}`}`;
}

/** " · part 2 · unknown": which part of a longer answer was read, and how, if that is to be said. */
export const lookEnd = ({ part, outcome }: Pick<IncidentRead, 'part' | 'outcome'>): string =>
  [...(part === undefined ? [] : [` · part ${part}`]), ...(outcome === undefined ? [] : [` · ${outcome}`])].join('');
