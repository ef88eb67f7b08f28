import { setTimeout as delay } from 'node:timers/promises';
import { type Client, Events, type Guild, type REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { isCode } from './errors.ts';
import type { Session } from './login.ts';

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

/**
 * Whether registration can never succeed: the bot is not in the guild, or may have no commands there. During an outage
 * of the guild this is unknown.
 */
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
