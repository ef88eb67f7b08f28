import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import type { GuildFound } from '../discord/probe.ts';
import { isLeft, type Looked, ok, skipped, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import type { Check } from './run.ts';

const invite = trusted('Check DISCORD_GUILD_ID, and invite the bot with the link in docs/install.md.');

const token: Check<'discord'> = {
  id: 'discord-token',
  title: 'Discord token',
  async run(probes) {
    const found = await probes.discord();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    if (found.state === 'ok') return [ok(md`Discord knows the bot as ${found.bot.name} (${found.bot.id}).`)];
    if (found.state === 'unauthorized')
      return [
        wrong(
          trusted('Discord does not know this token.'),
          trusted('Create a new one in the developer portal (Bot, Reset Token), and put it in DISCORD_TOKEN.'),
        ),
      ];
    if (found.state === 'limited')
      return [wrong(md`${found.words}`, trusted('Wait until then. Find out what else asks Discord with this token.'))];
    return [
      wrong(
        trusted('Discord cannot be reached or does not answer in time.'),
        trusted('Check the network, the route to discord.com, and DISCORD_API_URL if it is set.'),
      ),
    ];
  },
};

/** The guild, or why it could not be probed. */
export async function guildOf(probes: Pick<Probes, 'discord'>): Promise<Looked<GuildFound>> {
  const found = await probes.discord();
  if (isLeft(found)) return found;
  if (found.state !== 'ok') return { left: 'It needs the Discord token.' };
  if (found.guild === undefined) return { left: 'It needs DISCORD_GUILD_ID.' };
  return found.guild === 'absent' ? { left: 'The bot is not in the guild.' } : found.guild;
}

const guild: Check<'discord'> = {
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

const commands: Check<'commands'> = {
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

const roles: Check<'discord' | 'policy'> = {
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

const rolesTwice: Check<'policy'> = {
  id: 'roles-twice',
  title: 'Each role once',
  async run(probes) {
    const policy = await probes.policy();
    if (isLeft(policy)) return [skipped(trusted(policy.left))];
    // A row with `on-call` is there beside another.
    const rows = policy.roles.filter((row) => row['on-call'] === undefined);
    const ids = rows.map(({ role }) => role);
    const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
    if (twice.length === 0) return [ok(trusted('No role is in the policy twice.'))];
    return twice.map((id) => {
      const names = rows.filter(({ role }) => role === id).map(({ name }) => quote(name));
      return warning(
        md`The role ${id} is in the policy ${names.length} times, as ${list(names)}. Its holders may do all of that.`,
        trusted('Put what it may do into one row, unless the rows are for different servers.'),
      );
    });
  },
};

export const aboutDiscord = { token, guild, commands, roles, rolesTwice };
