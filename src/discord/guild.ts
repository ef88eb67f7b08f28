import { setTimeout as delay } from 'node:timers/promises';
import { type Client, Events, type GatewayReadyDispatchData, type Guild, RESTJSONErrorCodes } from 'discord.js';
import { isCode } from './errors.ts';

/** Resolves when Discord has told what is in the guild. To be called before the login. */
export function described(client: Client, id: string): Promise<Guild> {
  return new Promise((resolve) => {
    const look = (guild: Guild): void => {
      if (guild.id === id) resolve(guild);
    };
    for (const event of [Events.GuildAvailable, Events.GuildCreate] as const) client.on(event, look);
  });
}

/** How long Discord has to tell what is in a guild that it says the bot is in, in ms. */
const patience = 3_000;

const refusals = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
];

/**
 * Whether Discord will never take the commands: the bot is not in the guild, or may have none there. During an outage
 * of the guild nobody knows.
 */
export async function isForGood(
  error: unknown,
  { guilds }: GatewayReadyDispatchData,
  guild: string,
  home: Promise<Guild>,
): Promise<boolean> {
  if (!isCode(error, ...refusals)) return false;
  if (!guilds.some(({ id }) => id === guild)) return true;
  return await Promise.race([home.then(() => true), delay(patience, false, { ref: false })]);
}
