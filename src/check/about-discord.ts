import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import type { ChannelFound, GuildFound } from '../discord/probe.ts';
import { isLeft, type Looked, ok, skipped, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import type { Check } from './run.ts';

const invite = trusted('Check DISCORD_GUILD_ID, and invite the bot with the link in docs/install.md.');

const token: Check = {
  id: 'discord-token',
  title: 'Discord token',
  async run(probes) {
    const found = await probes.discord();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    if (found.state === 'ok') return [ok(md`Discord knows the bot as ${found.bot.name} (${found.bot.id}).`)];
    if (found.state === 'unauthorized')
      return [
        wrong(
          trusted('Discord refuses DISCORD_TOKEN.'),
          trusted('Create a new token in the developer portal (Bot, Reset Token), and put it into DISCORD_TOKEN.'),
        ),
      ];
    return [
      wrong(
        trusted('Discord cannot be reached or does not answer in time.'),
        trusted('Check the network, the route to discord.com, and DISCORD_API_URL if it is set.'),
      ),
    ];
  },
};

/** The guild, or why it could not be probed. */
export async function guildOf(probes: Probes): Promise<Looked<GuildFound>> {
  const found = await probes.discord();
  if (isLeft(found)) return found;
  if (found.state !== 'ok') return { left: 'It needs the Discord token.' };
  if (found.guild === undefined) return { left: 'It needs DISCORD_GUILD_ID.' };
  return found.guild === 'absent' ? { left: 'The bot is not in the guild.' } : found.guild;
}

const guild: Check = {
  id: 'guild',
  title: 'Guild',
  async run(probes) {
    const discord = await probes.discord();
    if (!isLeft(discord) && discord.state === 'ok' && discord.guild === 'absent')
      return [wrong(trusted('The bot is not in the guild of DISCORD_GUILD_ID.'), invite)];
    const found = await guildOf(probes);
    return [isLeft(found) ? skipped(trusted(found.left)) : ok(md`The bot is in ${found.name} (${found.id}).`)];
  },
};

/** Permissions for the audit channel. The trail starts no threads. */
const forTrail = ['View Channel', 'Send Messages', 'Embed Links', 'Attach Files', 'Read Message History'];

const named = ({ name, id }: ChannelFound): Markup => md`${quote(`#${name}`)} (${id})`;
const rightsIn = (lacks: readonly string[]): Markup => trusted(lacks.join(', '));

/** The channels that the bot serves. Without a list, every text channel that it can see. */
function served(found: GuildFound, channels: readonly string[] | undefined): ChannelFound[] {
  return channels === undefined
    ? found.channels.filter(({ isText, lacks }) => isText && !lacks.includes('View Channel'))
    : found.channels.filter(({ id }) => channels.includes(id));
}

const rights: Check = {
  id: 'rights',
  title: 'Rights',
  async run(probes) {
    const [found, policy, audit] = [await guildOf(probes), await probes.policy(), await probes.audit()];
    for (const each of [found, policy, audit]) if (isLeft(each)) return [skipped(trusted(each.left))];
    if (isLeft(found) || isLeft(policy) || isLeft(audit)) return [];
    const needed = served(found, policy.channels).map((channel) => ({
      channel,
      lacks: channel.lacks.filter((right) => right !== 'Pin Messages' || policy.handoverPin),
    }));
    const trail = found.channels
      .filter(({ id }) => id === audit.channel && !needed.some(({ channel }) => channel.id === id))
      .map((channel) => ({ channel, lacks: channel.lacks.filter((right) => forTrail.includes(right)) }));
    const all = [...needed, ...trail];
    const problems = all
      .filter(({ lacks }) => lacks.length > 0)
      .map(({ channel, lacks }) =>
        wrong(
          md`In ${named(channel)} the bot lacks ${rightsIn(lacks)}.`,
          trusted("Allow that to the bot's role in the channel's settings, Permissions."),
        ),
      );
    const inGuild =
      found.lacks.length === 0
        ? []
        : [
            wrong(
              md`In the guild the bot lacks ${rightsIn(found.lacks)}.`,
              trusted("Allow that to the bot's role in Server Settings, Roles."),
            ),
          ];
    const whole = ok(trusted(`The bot has all that it needs in the guild and in ${count(all.length, 'channel')}.`));
    return problems.length + inGuild.length === 0 ? [whole] : [...problems, ...inGuild];
  },
};

const commands: Check = {
  id: 'commands',
  title: 'Commands',
  async run(probes) {
    const found = await probes.commands();
    if (found === 'not-allowed') return [wrong(trusted('The bot was invited without applications.commands.'), invite)];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { absent, changed, extra, registered, isPending } = found;
    const parts = [
      ...changeWords(absent, 'not registered'),
      ...changeWords(changed, 'registered differently'),
      ...changeWords(extra, 'left over from another version'),
    ];
    if (parts.length === 0) return [ok(trusted(`${count(registered, 'command')} are registered as in this version.`))];
    const words = md`Commands are not registered as in this version: ${list(parts)}.`;
    return [
      isPending === true
        ? warning(words, trusted('The bot registers them when it starts.'))
        : wrong(words, trusted('Start the bot again, with REGISTER=on-start.')),
    ];
  },
};

const mostNames = 5;

function changeWords(names: readonly string[], how: string): Markup[] {
  if (names.length === 0) return [];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return [
    md`${list(
      names.slice(0, mostNames).map((name) => quote(name)),
      ', ',
    )}${trusted(`${more} ${how}`)}`,
  ];
}

const roles: Check = {
  id: 'roles',
  title: 'Roles of the policy',
  async run(probes) {
    const [found, policy] = [await guildOf(probes), await probes.policy()];
    if (isLeft(policy)) return [skipped(trusted(policy.left))];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const missing = policy.roles.filter(({ role }) => !found.roles.some(({ id }) => id === role));
    if (missing.length === 0)
      return [ok(trusted(`${count(policy.roles.length, 'row')} of roles: each is in the guild.`))];
    return missing.map(({ role, name }) =>
      wrong(
        md`The guild has no role ${role}, which the policy calls ${name}.`,
        trusted("Copy the role's id from Discord into the policy, or remove the row."),
      ),
    );
  },
};

const rolesTwice: Check = {
  id: 'roles-twice',
  title: 'Each role once',
  async run(probes) {
    const policy = await probes.policy();
    if (isLeft(policy)) return [skipped(trusted(policy.left))];
    const ids = policy.roles.map(({ role }) => role);
    const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
    if (twice.length === 0) return [ok(trusted('No role is in the policy twice.'))];
    return twice.map((id) => {
      const names = policy.roles.filter(({ role }) => role === id).map(({ name }) => quote(name));
      return warning(
        md`The role ${id} is in the policy ${names.length} times, as ${list(names)}. Its holders may do all of that.`,
        trusted('Put what it may do into one row, unless the rows are for different servers.'),
      );
    });
  },
};

const channels: Check = {
  id: 'channels',
  title: 'Channels',
  async run(probes) {
    const [found, policy, audit] = [await guildOf(probes), await probes.policy(), await probes.audit()];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const ids = isLeft(policy) ? [] : (policy.channels ?? []);
    const trail = isLeft(audit) ? undefined : audit.channel;
    const isGone = (id: string): boolean => !found.channels.some((channel) => channel.id === id);
    const gone = ids
      .filter(isGone)
      .map((id) =>
        wrong(
          md`The guild has no channel ${id}, which the policy names.`,
          trusted("Copy the channel's id from Discord into channels of the policy, or remove it."),
        ),
      );
    const noTrail =
      trail !== undefined && isGone(trail)
        ? [
            wrong(
              md`The guild has no channel ${trail}, which AUDIT_CHANNEL_ID names.`,
              trusted("Copy the audit channel's id from Discord into AUDIT_CHANNEL_ID."),
            ),
          ]
        : [];
    const all = ids.length + (trail === undefined ? 0 : 1);
    return gone.length + noTrail.length > 0
      ? [...gone, ...noTrail]
      : [ok(trusted(`${count(all, 'channel')} named: each is in the guild.`))];
  },
};

export const aboutDiscord: readonly Check[] = [token, guild, rights, commands, roles, rolesTwice, channels];
