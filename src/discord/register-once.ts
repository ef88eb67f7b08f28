import { DiscordAPIError, REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { defined } from '../defined.ts';
import { DiscordUnavailable, type Log, NotInGuild } from '../outcome.ts';
import { isCode } from './errors.ts';
import { type Registered, register, type Wanted } from './register.ts';
import { isRefused, type TokenOptions } from './token.ts';

interface RegisterOptions extends TokenOptions, Wanted {
  guild: string;
  log: Log;
}

const application = z.object({ id: z.string() });
const { MissingAccess, MissingPermissions, UnknownGuild } = RESTJSONErrorCodes;

/**
 * Registers the commands without a login. 'refused' if Discord refuses the token. Rejects with NotInGuild,
 * DiscordUnavailable, or Discord's own error if the commands are invalid.
 */
export async function registerOnce(options: RegisterOptions): Promise<Registered | 'refused'> {
  const { token, apiUrl, guild } = options;
  const rest = new REST({ ...defined({ api: apiUrl }), timeout: 10_000 }).setToken(token);
  const own = Routes.currentApplication();
  try {
    const { id } = application.parse(await rest.get(own));
    return await register(rest, id, guild, options);
  } catch (error) {
    if (isCode(error, MissingAccess, MissingPermissions, UnknownGuild)) throw new NotInGuild(error);
    if (!(error instanceof DiscordAPIError)) throw new DiscordUnavailable(error);
    if (error.status === 401 && (await isRefused(options, own))) return 'refused';
    throw error.status === 400 ? error : new DiscordUnavailable(error);
  }
}
