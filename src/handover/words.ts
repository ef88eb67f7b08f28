import { count, list, type Markup, md, moment, quote, serverName, trusted } from '../card.ts';
import type { Effect } from '../runs/effects.ts';
import type { Step } from '../runs/entry.ts';
import { type Group, groups, type OpenItem } from './gather.ts';

/** Singular and plural. */
const names: Readonly<Record<Group, readonly [string, string]>> = {
  restores: ['restore running', 'restores running'],
  unfollowed: ['job that may still run', 'jobs that may still run'],
  unknown: ['unknown outcome', 'unknown outcomes'],
  firewalls: ['firewall disabled', 'firewalls disabled'],
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
  const { servers, entry, since, place } = item;
  const detail = detailOf(item);
  const about = detail === undefined ? trusted('') : md`, ${detail}`;
  const { guild, channel, message } = place;
  const link =
    message === undefined
      ? trusted('')
      : trusted(` · [card](https://discord.com/channels/${guild}/${channel}/${message})`);
  return md`${named(servers)}${about}: ${moment(since)} by <@${trusted(entry.actor.id)}>${link}`;
}

/** How many servers of one question to name. */
const mostNamed = 3;

function named(servers: OpenItem['servers']): Markup {
  const more = servers.length - mostNamed;
  const names = servers.slice(0, mostNamed).map(serverName);
  return list(more > 0 ? [...names, trusted(`${more} more`)] : names);
}

const typed = ({ command }: OpenItem['entry']): Markup => trusted(`/${command.replace('.', ' ')}`);

function detailOf(item: OpenItem): Markup | undefined {
  switch (item.group) {
    case 'restores':
      return trusted(item.job === undefined ? 'job unknown, so that nobody sees how it goes' : `job ${item.job}`);
    case 'unfollowed':
      return md`${typed(item.entry)}, ${jobOf(item.ended)}${leftBy(item.ended)}`;
    case 'unknown':
    case 'questions':
      return typed(item.entry);
    default:
      return ofEffect(item.effect, item.entry);
  }
}

const jobOf = ({ follow, job }: Step<'ended'>): Markup =>
  trusted(job === undefined ? '' : `${follow === 'power' ? 'queue item' : 'job'} ${job}, `);

/** Why nobody follows it any more. */
const leftBy = ({ end, actor, time }: Step<'ended'>): Markup =>
  end === 'stopped'
    ? md`which <@${trusted(actor.id)}> stopped following ${moment(Date.parse(time))}`
    : md`not seen to finish by ${moment(Date.parse(time))}`;

function ofEffect(effect: Effect, entry: OpenItem['entry']): Markup | undefined {
  switch (effect.kind) {
    case 'firewall-off':
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
