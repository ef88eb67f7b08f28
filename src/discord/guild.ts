import { setTimeout as delay } from 'node:timers/promises';
import { type Client, Events, type GatewayReadyDispatchData, type Guild } from 'discord.js';
import { isLost } from './errors.ts';

/** Resolves when Discord has told what is in the guild. */
export function described(client: Client, id: string): Promise<Guild> {
  return new Promise((resolve) => {
    const look = (): void => {
      const guild = client.guilds.cache.get(id);
      if (guild?.available) resolve(guild);
    };
    look();
    for (const event of [Events.GuildAvailable, Events.GuildCreate] as const) client.on(event, look);
  });
}

/** How long Discord has to tell what is in a guild that it says the bot is in, in ms. */
const patience = 3_000;

/**
 * Whether Discord will never take the commands: the bot is not in the guild, or may have none there. During an outage of the guild
 * nobody knows.
 */
export async function isForGood(
  client: Client,
  ready: GatewayReadyDispatchData,
  guild: string,
  error: unknown,
): Promise<boolean> {
  if (!isLost(error)) return false;
  if (!ready.guilds.some(({ id }) => id === guild)) return true;
  return await Promise.race([described(client, guild).then(() => true), delay(patience, false, { ref: false })]);
}
