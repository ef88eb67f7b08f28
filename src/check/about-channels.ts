import { acknowledge } from '../../commands/audit-acknowledge.ts';
import { commands } from '../../commands/index.ts';
import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import type { ChannelFound, GuildFound } from '../discord/probe.ts';
import { acknowledgement, approval, rolesFor } from '../policy/decide.ts';
import type { Policy } from '../policy/schema.ts';
import { guildAndPolicy, guildOf } from './about-discord.ts';
import { type Found, isLeft, ok, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import { checkOf, together } from './run.ts';

type Served = Pick<Probes, 'discord' | 'policy' | 'audit'>;

/** Permissions for the audit channel. The trail starts no threads. */
const forTrail = ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files', 'Read Message History'];

const nameOf = ({ name, id }: Pick<ChannelFound, 'name' | 'id'>): Markup => md`${quote(`#${name}`)} (${id})`;

/** The channels that the bot serves. Without a list, every text channel that it can see, and that of alerts. */
function served(found: GuildFound, { channels, alerts }: Policy): ChannelFound[] {
  const isServed = ({ id, lacks }: ChannelFound): boolean =>
    channels === undefined ? id === alerts?.channel || !lacks.includes('View Channel') : channels.includes(id);
  return found.channels.filter((channel) => channel.isText && isServed(channel));
}

export const rights = checkOf(
  'rights',
  'Rights',
  (probes: Served & Pick<Probes, 'now'>) =>
    together({ guild: guildOf(probes), policy: probes.policy(), audit: probes.audit() }),
  ({ guild, policy, audit }, { now }) => {
    const needed = served(guild, policy).map((channel) => ({
      channel,
      lacks: channel.lacks.filter((right) => right !== 'Pin Messages' || policy.handoverPin),
    }));
    const trail = guild.channels
      .filter(({ id }) => id === audit.channel && !needed.some(({ channel }) => channel.id === id))
      .map((channel) => ({ channel, lacks: channel.lacks.filter((right) => forTrail.includes(right)) }));
    const all = [...needed, ...trail];
    const problems = all
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ channel, lacks }) =>
        wrong(
          md`In ${nameOf(channel)} the bot lacks ${trusted(lacks.join(', '))}.`,
          "Allow that to the bot's role in the channel's settings, Permissions.",
        ),
      );
    const bad = [...timeOutOf(guild, now()), ...problems];
    return bad.length > 0 ? bad : ok(trusted(`The bot has everything it needs in ${count(all.length, 'channel')}.`));
  },
);

/** Whoever is in time-out may only read, whatever their roles allow. */
function timeOutOf({ timeOut = 0 }: GuildFound, now: number): Found[] {
  if (timeOut <= now) return [];
  const until = trusted(`${new Date(timeOut).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
  return [
    wrong(
      md`The bot is in time-out until ${until}: it may only read.`,
      'A moderator can end that: the list of members, the bot, Remove Timeout.',
    ),
  ];
}

export const channels = checkOf('channels', 'Channels', guildOf, async ({ channels: found }, probes: Served) => {
  const [policy, audit] = [await probes.policy(), await probes.audit()];
  const { channels: listed = [], alerts } = isLeft(policy) ? {} : policy;
  const ids = [...new Set([...listed, ...(alerts === undefined ? [] : [alerts.channel])])];
  const trail = isLeft(audit) ? undefined : audit.channel;
  const named = [...new Set([...ids, ...(trail === undefined ? [] : [trail])])];
  const isGone = (id: string): boolean => !found.some((channel) => channel.id === id);
  const gone = ids
    .filter(isGone)
    .map((id) =>
      wrong(
        md`The guild has no channel ${id}, which the policy names.`,
        'Copy the id of a text channel from Discord into the policy, or remove it there.',
      ),
    );
  if (trail !== undefined && isGone(trail))
    gone.push(
      wrong(
        md`The guild has no channel ${trail}, which AUDIT_CHANNEL_ID names.`,
        "Copy the audit channel's id from Discord into AUDIT_CHANNEL_ID.",
      ),
    );
  const strange = named.flatMap((id) => found.filter((each) => each.id === id && !each.isText)).map(notText);
  const bad = [...gone, ...strange];
  return bad.length > 0
    ? bad
    : ok(trusted(`${count(named.length, 'channel')} named: each is a text channel of the guild.`));
});

const notText = ({ kind = 'no text channel', ...channel }: ChannelFound): Found =>
  wrong(
    md`${nameOf(channel)} is ${trusted(kind)}: commands, cards and threads need a text channel.`,
    'Copy the id of a text channel instead. Its threads come with it.',
  );

/** The roles that the bot pings: of `notify`, alerts and schedules, who may approve or acknowledge, and whom denials ask. */
function pinged(policy: Policy): readonly Policy['roles'][number][] {
  const { alerts, onCall = [] } = policy;
  const notified = [...Object.values(policy.notify).flat(), ...(alerts?.ping ?? []), ...onCall.map(({ role }) => role)];
  const asked =
    policy.askOthers !== false ? commands.filter(({ danger }) => danger === 'write' || danger === 'destructive') : [];
  const fired = alerts === undefined || alerts.ping !== undefined ? [] : [acknowledgement];
  const holders = [approval, acknowledge, ...fired, ...asked].flatMap((subject) => rolesFor(policy, subject));
  return policy.roles.filter(({ role, name }) => notified.includes(name) || holders.includes(role));
}

/** Discord notifies nobody by the mention of a role that is not mentionable, unless the author may mention everyone. */
export const pings = checkOf('pings', 'Pings of roles', guildAndPolicy, ({ guild, policy }) => {
  const roles = pinged(policy);
  const mute = roles.filter(({ role }) => guild.roles.some(({ id, mentionable }) => id === role && !mentionable));
  const where = served(guild, policy).filter(({ mentionsRoles }) => !mentionsRoles);
  if (mute.length === 0 || where.length === 0)
    return ok(trusted(`A ping of ${count(roles.length, 'role')} of the policy arrives.`));
  const names = [...new Set(mute.map(({ name }) => name))].map((name) => quote(name));
  const more = where.length > mostChannels ? ` and ${count(where.length - mostChannels, 'other channel')}` : '';
  const places = md`${list(where.slice(0, mostChannels).map(nameOf))}${trusted(more)}`;
  return warning(
    md`Pings of ${list(names)} notify nobody in ${places}: the role is not mentionable, and the bot lacks Mention Everyone there.`,
    'In Server Settings, Roles, let anyone @mention the role; or allow Mention @everyone, @here, and All Roles to the role of the bot.',
  );
});

const mostChannels = 5;
