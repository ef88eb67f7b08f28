import { setTimeout as delay } from 'node:timers/promises';
import {
  type APIChannel,
  ApplicationCommandType,
  type Client,
  Events,
  type Guild,
  MessageFlags,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import type { Threads } from '../cards/closed-thread.ts';
import type { Command } from '../command.ts';
import type { Log } from '../outcome.ts';
import type { Channels } from './answers.ts';
import { isCode } from './errors.ts';
import type { Session } from './login.ts';
import { filesOf, render } from './render.ts';

/** Resolves when Discord has described the guild. Call it before the login. */
export function guildDescription(client: Client, id: string): Promise<Guild> {
  return new Promise((resolve) => {
    const onGuild = (guild: Guild): void => {
      if (guild.id === id) resolve(guild);
    };
    for (const event of [Events.GuildAvailable, Events.GuildCreate] as const) client.on(event, onGuild);
  });
}

/** How long to wait for the description of a guild that the bot is in, in ms. */
const descriptionTimeout = 3_000;

const refusals = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
];

/** Whether registration can never succeed: not in the guild, or no right. Unknown during an outage of the guild. */
export async function isPermanent(
  error: unknown,
  { guilds }: Session,
  guild: string,
  home: Promise<Guild>,
): Promise<boolean> {
  if (!isCode(error, ...refusals)) return false;
  if (!guilds.some(({ id }) => id === guild)) return true;
  return await Promise.race([home.then(() => true), delay(descriptionTimeout, false, { ref: false })]);
}

const member = z.object({ roles: z.array(z.string()) });

/** The roles that a person has now; none if they left the guild. Asks Discord, because the bot gets no member events. */
export async function rolesOf(rest: Pick<REST, 'get'>, guild: string, person: string): Promise<readonly string[]> {
  try {
    return member.parse(await rest.get(Routes.guildMember(guild, person))).roles;
  } catch (error) {
    if (isCode(error, RESTJSONErrorCodes.UnknownMember)) return [];
    throw error;
  }
}

/** Leaves every guild but its own: those at the start of a session, and those that add the bot later. */
export function leaveOthers(client: Client, own: string, log: Log): void {
  const leaving = new Set<string>();
  const leave = async (guild: Guild): Promise<void> => {
    if (leaving.has(guild.id)) return;
    leaving.add(guild.id);
    const facts = { guild: guild.id };
    try {
      await guild.leave();
      log.warn(facts, 'left a guild that is not the one of DISCORD_GUILD_ID');
    } catch (error) {
      // Somebody removed the bot first. Other errors are retried with the next guild or session.
      if (!isCode(error, RESTJSONErrorCodes.UnknownGuild))
        log.warn({ ...facts, problem: String(error) }, 'cannot leave a guild that is not the one of DISCORD_GUILD_ID');
    } finally {
      leaving.delete(guild.id);
    }
  };
  const leaveAll = (): void => {
    const others = [...client.guilds.cache.values()].filter(({ id }) => id !== own);
    if (others.length === 0) return;
    // A session begins with all guild ids, even of guilds that are down: if its own is missing, the configured id may
    // be wrong.
    if (client.guilds.cache.has(own)) for (const guild of others) void leave(guild);
    else
      log.warn(
        { guilds: others.map(({ id }) => id) },
        'the bot is in other guilds and not in the one of DISCORD_GUILD_ID: check that id',
      );
  };
  client.on(Events.ShardReady, leaveAll);
  client.on(Events.GuildCreate, leaveAll);
}

const registered = z.array(
  z.looseObject({ id: z.string(), name: z.string(), type: z.number().default(ApplicationCommandType.ChatInput) }),
);

/** Links that type a command: `</firewall flush:1500000000000000007>`. Discord assigns the ids at registration. */
export function commandMentions() {
  let ids: ReadonlyMap<string, string> = new Map();
  return {
    /** `response`: Discord's list of registered commands. */
    learn(response: unknown): void {
      const read = registered.safeParse(response);
      if (!read.success) return;
      const typed = read.data.filter(({ type }) => type === ApplicationCommandType.ChatInput);
      ids = new Map(typed.map(({ name, id }) => [name, id]));
    },
    mention({ id, menu }: Pick<Command, 'id' | 'menu'>): string | undefined {
      const [name = id] = id.split('.');
      const found = menu === undefined ? ids.get(name) : undefined;
      return found === undefined ? undefined : `</${id.replace('.', ' ')}:${found}>`;
    },
  };
}

const message = z.object({ content: z.string() });

/** Threads that may be closed. `onUpdate` calls its listener with every updated thread. */
export const closedThreads = (
  channels: () => Channels,
  onUpdate: (told: (thread: APIChannel) => void) => void,
): Threads => ({
  async reads({ channel, message: id }, card) {
    const { bot, note } = channels();
    const { content } = message.parse(await bot.get(Routes.channelMessage(channel, id)));
    return content === render(card, note).content;
  },
  async whisper(token, card) {
    const { interactions, application, note } = channels();
    const body = { ...render(card, note), flags: MessageFlags.Ephemeral };
    await interactions.post(Routes.webhook(application, token), { auth: false, body, files: filesOf(card) });
  },
  onOpened: (listener) =>
    onUpdate((thread) => {
      if ('thread_metadata' in thread && thread.thread_metadata?.archived === false) listener(thread.id);
    }),
});
