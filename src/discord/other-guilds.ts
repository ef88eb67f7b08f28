import { type Client, Events, type Guild, RESTJSONErrorCodes } from 'discord.js';
import type { Log } from '../outcome.ts';
import { isCode } from './errors.ts';

/** Leaves every guild but its own: what is there when a session begins, and whatever somebody adds the bot to. */
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
      // Somebody was faster. Anything else is tried again when the next guild or session comes.
      if (!isCode(error, RESTJSONErrorCodes.UnknownGuild))
        log.warn(
          { ...facts, problem: String(error) },
          'a guild that is not the one of DISCORD_GUILD_ID could not be left',
        );
    } finally {
      leaving.delete(guild.id);
    }
  };
  const look = (): void => {
    const others = [...client.guilds.cache.values()].filter(({ id }) => id !== own);
    if (others.length === 0) return;
    // A session begins with the names of all guilds, also of those that are down: where its own is missing, the id may be wrong.
    if (client.guilds.cache.has(own)) for (const guild of others) void leave(guild);
    else
      log.warn(
        { guilds: others.map(({ id }) => id) },
        'the bot is in other guilds and not in the one of DISCORD_GUILD_ID: check that id',
      );
  };
  client.on(Events.ShardReady, look);
  client.on(Events.GuildCreate, look);
}
