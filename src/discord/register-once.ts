import { DiscordAPIError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { DiscordUnavailable, Limited, type Log, NotInGuild } from '../outcome.ts';
import { isCode } from './errors.ts';
import { isRefused, type TokenOptions } from './login.ts';
import { type Registered, register, type Wanted } from './register.ts';
import { createRest } from './rest.ts';

interface RegisterOptions extends TokenOptions, Wanted {
  guild: string;
  log: Log;
}

const application = z.object({ id: z.string() });
const { MissingAccess, MissingPermissions, UnknownGuild } = RESTJSONErrorCodes;

/** Registers the commands without a login. 'refused': the token. Rejects with NotInGuild, Limited and others. */
export async function registerOnce(options: RegisterOptions): Promise<Registered | 'refused'> {
  const { token, guild } = options;
  const rest = createRest(options).setToken(token);
  const own = Routes.currentApplication();
  try {
    const { id } = application.parse(await rest.get(own));
    return await register(rest, id, guild, options);
  } catch (error) {
    if (error instanceof Limited) throw error;
    if (isCode(error, MissingAccess, MissingPermissions, UnknownGuild)) throw new NotInGuild(error);
    if (!(error instanceof DiscordAPIError)) throw new DiscordUnavailable(error);
    if (error.status === 401 && (await isRefused(options, own))) return 'refused';
    throw error.status === 400 ? error : new DiscordUnavailable(error);
  }
}
