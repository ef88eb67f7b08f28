import { count, linkTo, list, type Markup, md, moment, quote, serverName, threadLink, trusted } from '../card.ts';
import { stopLine, stopOn } from '../freeze-words.ts';
import type { Effect } from '../runs/effects.ts';
import type { Step } from '../runs/entry.ts';
import { type Group, groups, type LeftItem, type OpenItem, type StopItem } from './gather.ts';
import type { Changed } from './of-server.ts';

/** Singular and plural. */
const names: Readonly<Record<Group, readonly [string, string]>> = {
  incidents: ['incident', 'incidents'],
  freezes: ['freeze in force', 'freezes in force'],
  holds: ['server held', 'servers held'],
  restores: ['restore running', 'restores running'],
  powering: ['power action under way', 'power actions under way'],
  unfollowed: ['job that may still run', 'jobs that may still run'],
  unknown: ['unknown outcome', 'unknown outcomes'],
  reviews: ['break-glass review open', 'break-glass reviews open'],
  firewalls: ['firewall disabled', 'firewalls disabled'],
  emptied: ['firewall left without rules', 'firewalls left without rules'],
  down: ['server shut down', 'servers shut down'],
  throttles: ['throttle set', 'throttles set'],
  unapplied: ['change stored and not applied', 'changes stored and not applied'],
  whitelisted: ['network whitelisted for a while', 'networks whitelisted for a while'],
  questions: ['open question', 'open questions'],
};

/** "2 firewalls disabled and 1 open question"; undefined when nothing is open. */
export function counts(items: readonly OpenItem[]): Markup | undefined {
  const texts = groups.flatMap((group) => {
    const n = items.filter((item) => item.group === group).length;
    return n === 0 ? [] : [trusted(count(n, ...names[group]))];
  });
  return texts.length === 0 ? undefined : list(texts);
}

/** "**Firewalls disabled**" */
export const heading = (group: Group): Markup => {
  const [, several] = names[group];
  return trusted(`**${several.slice(0, 1).toUpperCase()}${several.slice(1)}**`);
};

/** What is open, since when, by whom, and where its card is. */
export function openItemLine(item: OpenItem): Markup {
  if (item.group === 'incidents') return incidentLine(item);
  if ('stop' in item)
    return item.group === 'holds' ? md`${stopOn(item.stop.server, item.stop)}${cardOf(item)}` : stopHereLine(item);
  const detail = detailOf(item);
  const about = detail === undefined ? trusted('') : md`, ${detail}`;
  return md`${named(item.servers)}${about}: ${since(item)}`;
}

/** Like `openItemLine`, on a card about that server: "**Firewall disabled** primary interface: 5 minutes ago by @bob · card" */
export function openHereLine(item: LeftItem | StopItem): Markup {
  if ('stop' in item) return stopHereLine(item);
  const [one] = names[item.group];
  const detail = detailOf(item);
  const about = detail === undefined ? trusted('') : md` ${detail}`;
  return md`**${trusted(`${one.slice(0, 1).toUpperCase()}${one.slice(1)}`)}**${about}: ${since(item)}`;
}

const stopHereLine = (item: StopItem): Markup => md`${stopLine(item.stop)}${cardOf(item)}`;

const cardOf = ({ stop: { place } }: StopItem): Markup => {
  const { guild, channel, message } = place;
  return message === undefined ? trusted('') : md` · ${linkTo('card', { guild, channel, message })}`;
};

/** "5 minutes ago by @bob · card" */
const since = ({ since: at, entry, place }: LeftItem): Markup => byline(at, entry, place);

function byline(at: number, { actor }: LeftItem['entry'], { guild, channel, message }: LeftItem['place']): Markup {
  const link = message === undefined ? trusted('') : md` · ${linkTo('card', { guild, channel, message })}`;
  return md`${moment(at)} by <@${trusted(actor.id)}>${link}`;
}

/** "20 minutes ago by @bob · card. Reason: `locked out by rule 7`" */
export function changedBy(item: LeftItem): Markup {
  const { reason } = item.entry.options;
  const why = typeof reason === 'string' ? md`. Reason: ${reason}` : trusted('');
  return md`${since(item)}${why}`;
}

/** "**SUCCEEDED** /firewall disable: 5 minutes ago by @bob · card" */
export const changeLine = ({ entry, state, place }: Changed): Markup =>
  md`**${trusted(state.toUpperCase())}** ${typed(entry)}: ${byline(Date.parse(entry.time), entry, place)}`;

/** The title as text: the thread may be renamed, deleted, or closed to the reader. */
const incidentLine = ({ incident: { id, title, opened }, since }: Extract<OpenItem, { group: 'incidents' }>): Markup =>
  md`${title}: ${moment(since)} by <@${trusted(opened.actor.id)}> · ${threadLink('thread', { guild: opened.place.guild, id })}`;

/** What `counts` counts, for a reader who sees that nothing is open. */
export const covered: readonly Markup[] = [
  trusted('That covers incidents, freezes and holds, questions, restores and other jobs, and unknown outcomes.'),
  trusted(
    'Also disabled firewalls, those flushed in the last day, servers shut down, throttles, changes not applied, and networks whitelisted with a reminder.',
  ),
  trusted('Only what was done through this bot, on servers that you may see.'),
];

/** How many servers of one question to name. */
const mostNamed = 3;

function named(servers: LeftItem['servers']): Markup {
  const more = servers.length - mostNamed;
  const names = servers.slice(0, mostNamed).map(serverName);
  return list(more > 0 ? [...names, trusted(`${more} more`)] : names);
}

const typed = ({ command }: LeftItem['entry']): Markup => trusted(`/${command.replace('.', ' ')}`);

function detailOf(item: LeftItem): Markup | undefined {
  switch (item.group) {
    case 'restores':
      return trusted(item.job === undefined ? 'job unknown, so that nobody sees how it goes' : `job ${item.job}`);
    case 'powering':
      return item.job === undefined ? typed(item.entry) : md`${typed(item.entry)}, queue item ${item.job}`;
    case 'unfollowed':
      return md`${typed(item.entry)}, ${jobOf(item.ended)}${leftBy(item.ended)}`;
    case 'reviews':
      return md`${typed(item.entry)}, because ${item.why}`;
    case 'unknown':
      return typed(item.entry);
    case 'questions':
      return md`${typed(item.entry)}, ${waiting(item)}`;
    default:
      return ofEffect(item.effect, item.entry);
  }
}

/** "waits for @alice to confirm, runs out in 2 minutes" */
function waiting({ waitsFor, until, entry }: Extract<LeftItem, { group: 'questions' }>): Markup {
  const who = {
    somebody: trusted('somebody who may run it'),
    confirm: md`<@${trusted(entry.actor.id)}> to confirm`,
    approval: trusted('an approval'),
  }[waitsFor];
  return md`waits for ${who}, runs out ${moment(until)}`;
}

const jobOf = ({ follow, job }: Step<'ended'>): Markup =>
  trusted(job === undefined ? '' : `${follow === 'power' ? 'queue item' : 'job'} ${job}, `);

/** Why nobody follows it any more. */
const leftBy = ({ end, actor, time }: Step<'ended'>): Markup =>
  end === 'stopped'
    ? md`which <@${trusted(actor.id)}> stopped following ${moment(Date.parse(time))}`
    : md`not seen to finish by ${moment(Date.parse(time))}`;

function ofEffect(effect: Effect, entry: LeftItem['entry']): Markup | undefined {
  switch (effect.kind) {
    case 'firewall-off':
    case 'no-rules':
      return trusted(`${effect.interface} interface`);
    case 'throttle': {
      const { percent } = entry.options;
      return typeof percent === 'number' ? trusted(`limited to ${percent} %`) : undefined;
    }
    case 'whitelist':
      return quote(`${effect.interface} ${effect.network}`);
    default:
      return typed(entry);
  }
}
