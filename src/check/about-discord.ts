import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import type { GuildFound } from '../discord/probe.ts';
import { isLeft, type Looked, ok, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import { check, checkOf, together } from './run.ts';

const invite = 'Check DISCORD_GUILD_ID, and invite the bot with the link in docs/install.md.';

type Discord = Pick<Probes, 'discord'>;
type GuildAndPolicy = Pick<Probes, 'discord' | 'policy'>;

const token = check('discord-token', 'Discord token', 'discord', (found) => {
  if (found.state === 'ok') return ok(md`Discord knows the bot as ${found.bot.name} (${found.bot.id}).`);
  if (found.state === 'unauthorized')
    return wrong(
      trusted('Discord does not know this token.'),
      'Create a new one in the developer portal (Bot, Reset Token), and put it in DISCORD_TOKEN.',
    );
  if (found.state === 'limited')
    return wrong(md`${found.words}`, 'Wait until then. Find out what else asks Discord with this token.');
  return wrong(
    trusted('Discord cannot be reached or does not answer in time.'),
    'Check the network, the route to discord.com, and DISCORD_API_URL if it is set.',
  );
});

/** The guild, or why it could not be probed. */
export async function guildOf(probes: Discord): Promise<Looked<GuildFound>> {
  const found = await probes.discord();
  if (isLeft(found)) return found;
  if (found.state !== 'ok') return { left: 'It needs the Discord token.' };
  if (found.guild === undefined) return { left: 'It needs DISCORD_GUILD_ID.' };
  return found.guild === 'absent' ? { left: 'The bot is not in the guild.' } : found.guild;
}

export const guildAndPolicy = (probes: GuildAndPolicy) => together({ guild: guildOf(probes), policy: probes.policy() });

const guild = checkOf(
  'guild',
  'Guild',
  async (probes: Discord) => {
    const found = await probes.discord();
    return !isLeft(found) && found.state === 'ok' && found.guild === 'absent' ? 'absent' : guildOf(probes);
  },
  (found) =>
    found === 'absent'
      ? wrong(trusted('The bot is not in the guild of DISCORD_GUILD_ID.'), invite)
      : ok(md`The bot is in ${found.name} (${found.id}).`),
);

const commands = check('commands', 'Commands', 'commands', (found) => {
  if (found === 'not-allowed') return wrong(trusted('The bot was invited without applications.commands.'), invite);
  const { added, changed, removed, isPending } = found;
  const parts = [
    ...changeWords(added, 'not registered'),
    ...changeWords(changed, 'registered differently'),
    ...changeWords(removed, 'left over from another version'),
  ];
  if (parts.length === 0) return ok(trusted(`${count(found.count, 'command')} are registered as in this version.`));
  const words = md`Commands are not registered as in this version: ${list(parts)}.`;
  return isPending === true
    ? warning(words, 'The bot registers them when it starts.')
    : wrong(words, 'Start the bot again, with REGISTER=on-start.');
});

const mostNames = 5;

function changeWords(names: readonly string[], how: string): Markup[] {
  if (names.length === 0) return [];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const shown = names.slice(0, mostNames).map((name) => quote(name));
  return [md`${list(shown, ', ')}${trusted(`${more} ${how}`)}`];
}

const roles = checkOf('roles', 'Roles of the policy', guildAndPolicy, ({ guild: { roles: known }, policy }) => {
  const missing = policy.roles.filter(({ role }) => !known.some(({ id }) => id === role));
  if (missing.length === 0) return ok(trusted(`${count(policy.roles.length, 'row')} of roles: each is in the guild.`));
  return missing.map(({ role, name }) =>
    wrong(
      md`The guild has no role ${role}, which the policy calls ${name}.`,
      "Copy the role's id from Discord into the policy, or remove the row.",
    ),
  );
});

const rolesTwice = check('roles-twice', 'Each role once', 'policy', (policy) => {
  // A row with `on-call` is there beside another.
  const rows = policy.roles.filter((row) => row['on-call'] === undefined);
  const ids = rows.map(({ role }) => role);
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
  if (twice.length === 0) return ok(trusted('No role is in the policy twice.'));
  return twice.map((id) => {
    const names = rows.filter(({ role }) => role === id).map(({ name }) => quote(name));
    return warning(
      md`The role ${id} is in the policy ${names.length} times, as ${list(names)}. Its holders may do all of that.`,
      'Put what it may do into one row, unless the rows are for different servers.',
    );
  });
});

export const aboutDiscord = { token, guild, commands, roles, rolesTwice };
