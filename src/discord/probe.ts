import { ChannelType, DiscordAPIError, PermissionsBitField, type REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { Limited } from '../outcome.ts';
import { type ChannelRight, isTextChannel, lacked, mayMentionRoles } from './channel-rights.ts';
import { isCode } from './errors.ts';
import type { TokenOptions } from './login.ts';
import { createRest } from './rest.ts';

interface Named {
  id: string;
  name: string;
}

export interface ChannelFound extends Named {
  /** Whether people can write in it as in a text channel. */
  isText: boolean;
  /** What it is, if it is no text channel: "a category". */
  kind?: string;
  /** Whether the bot's mention of any role there notifies its holders. */
  mentionsRoles: boolean;
  /** Permissions that the bot lacks there. */
  lacks: readonly ChannelRight[];
}

export interface GuildFound extends Named {
  /** Without @everyone, highest first. A `managed` role belongs to an integration and cannot be given to people. */
  roles: readonly (Named & { managed: boolean; mentionable: boolean })[];
  /** With the threads that are open and that the bot sees. */
  channels: readonly ChannelFound[];
  /** When the time-out of the bot ends, in ms, if it is in one. */
  timeOut?: number;
  /** The registered commands, as Discord returns them. Missing if the bot was invited without applications.commands. */
  commands?: unknown;
}

/** What Discord reports about a bot. `skew`: how far its clock is ahead of ours, in ms. */
export type DiscordFound = { skew?: number } & (
  | { state: 'unauthorized' | 'unreachable' }
  | { state: 'limited'; words: string }
  | {
      state: 'ok';
      bot: Named;
      application: Named;
      /** The first 200 guilds that the bot is in. */
      guilds: readonly Named[];
      /** The requested guild; 'absent' if the bot is not in it. */
      guild?: GuildFound | 'absent';
    }
);

export interface DiscordPlace extends TokenOptions {
  guild?: string;
  now?(): number;
}

const named = z.object({ id: z.string(), name: z.string() });
const user = z.object({ id: z.string(), username: z.string() }).transform(({ id, username: name }) => ({ id, name }));
const role = named.extend({
  permissions: z.string(),
  position: z.number(),
  managed: z.boolean(),
  mentionable: z.boolean().default(false),
});
const overwrite = z.object({ id: z.string(), allow: z.string(), deny: z.string() });
const channel = named.extend({ type: z.number(), permission_overwrites: z.array(overwrite).default([]) });
const threads = z.object({ threads: z.array(named.extend({ parent_id: z.string().nullish() })) });
const member = z.object({ roles: z.array(z.string()), communication_disabled_until: z.string().nullish() });

type Role = z.infer<typeof role>;

/** Uses REST only, which does not disturb a bot that runs with the same token. Sends each request once. */
export async function probeDiscord({ token, guild, now = Date.now, ...place }: DiscordPlace): Promise<DiscordFound> {
  const rest = createRest(place, { retries: 0, timeout: 5_000 }).setToken(token);
  const clock: { skew?: number } = {};
  rest.on('response', (_request, { headers }) => {
    const at = Date.parse(headers.get('date') ?? '');
    // The header has whole seconds: on average it is half a second late.
    if (!Number.isNaN(at)) clock.skew = at + 500 - now();
  });
  try {
    const bot = user.parse(await rest.get(Routes.user()));
    const application = named.parse(await rest.get(Routes.currentApplication()));
    const guilds = z.array(named).parse(await rest.get(Routes.userGuilds()));
    const found = guild === undefined ? undefined : await guildOf(rest, guild, bot.id, application.id);
    return { ...clock, state: 'ok', bot, application, guilds, guild: found };
  } catch (error) {
    if (error instanceof Limited) return { ...clock, state: 'limited', words: error.message };
    // Discord may answer a valid token with a single 401.
    const isRefused =
      isUnauthorized(error) &&
      (await rest
        .setToken(token)
        .get(Routes.gatewayBot())
        .then(() => false, isUnauthorized));
    return { ...clock, state: isRefused ? 'unauthorized' : 'unreachable' };
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof DiscordAPIError && error.status === 401;

/** Resolves to undefined for what is not there, or hidden. */
const ifThere = async <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (isCode(error, RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess)) return undefined;
    throw error;
  });

async function guildOf(rest: REST, id: string, bot: string, application: string): Promise<GuildFound | 'absent'> {
  const answer = await ifThere(rest.get(Routes.guild(id)));
  if (answer === undefined) return 'absent';
  const [channels, open, me, commands] = await Promise.all([
    rest.get(Routes.guildChannels(id)),
    rest.get(Routes.guildActiveThreads(id)),
    rest.get(Routes.guildMember(id, bot)),
    ifThere(rest.get(Routes.applicationGuildCommands(application, id))),
  ]);
  const { name, roles } = named.extend({ roles: z.array(role) }).parse(answer);
  const { roles: given, communication_disabled_until: until } = member.parse(me);
  const mine = [id, ...given];
  const base = permissionsOf(roles, mine);
  const isFree = until == null || base.has(PermissionsBitField.Flags.Administrator);
  const rightsIn = (
    overwrites: readonly z.infer<typeof overwrite>[],
  ): Pick<ChannelFound, 'lacks' | 'mentionsRoles'> => {
    const has = withOverwrites(base, overwrites, { everyone: id, roles: mine, bot });
    return { lacks: lacked(has), mentionsRoles: mayMentionRoles(has) };
  };
  return {
    ...{ id, name },
    roles: roles
      .filter((each) => each.id !== id)
      .sort((a, b) => b.position - a.position)
      .map(({ id, name, managed, mentionable }) => ({ id, name, managed, mentionable })),
    channels: [
      ...z
        .array(channel)
        .parse(channels)
        .map(({ id: channelId, name, type, permission_overwrites: overwrites }) => ({
          ...{ id: channelId, name, ...kindOf(type), ...rightsIn(overwrites) },
        })),
      ...threads.parse(open).threads.map((thread) => ({ ...thread, isText: false, kind: 'a thread', ...rightsIn([]) })),
    ],
    commands,
    timeOut: isFree ? undefined : Date.parse(until),
  };
}

const kinds: Readonly<Record<number, string>> = {
  [ChannelType.GuildVoice]: 'a voice channel',
  [ChannelType.GuildCategory]: 'a category',
  [ChannelType.GuildStageVoice]: 'a stage channel',
  [ChannelType.GuildDirectory]: 'a directory',
  [ChannelType.GuildForum]: 'a forum',
  [ChannelType.GuildMedia]: 'a media channel',
};

const kindOf = (type: number): Pick<ChannelFound, 'isText' | 'kind'> =>
  isTextChannel(type) ? { isText: true } : { isText: false, kind: kinds[type] ?? 'a channel of another kind' };

const permissionsOf = (roles: readonly Role[], mine: readonly string[]): PermissionsBitField =>
  new PermissionsBitField(roles.filter(({ id }) => mine.includes(id)).map(({ permissions }) => BigInt(permissions)));

/** In Discord's order: @everyone, then all roles together, then the bot itself; each denies before it allows. */
function withOverwrites(
  base: PermissionsBitField,
  overwrites: readonly z.infer<typeof overwrite>[],
  { everyone, roles, bot }: { everyone: string; roles: readonly string[]; bot: string },
): PermissionsBitField {
  if (base.has(PermissionsBitField.Flags.Administrator)) return base;
  const steps = [
    overwrites.filter(({ id }) => id === everyone),
    overwrites.filter(({ id }) => id !== everyone && roles.includes(id)),
    overwrites.filter(({ id }) => id === bot),
  ];
  const bits = steps.reduce((has, step) => {
    const denied = step.reduce((all, { deny }) => all | BigInt(deny), 0n);
    const allowed = step.reduce((all, { allow }) => all | BigInt(allow), 0n);
    return (has & ~denied) | allowed;
  }, base.bitfield);
  return new PermissionsBitField(bits);
}
