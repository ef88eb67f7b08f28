import { type Client, Events, type Guild, RESTJSONErrorCodes } from 'discord.js';
import type { Log } from '../outcome.ts';
import { isCode } from './errors.ts';

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
