import { DiscordAPIError, type REST, Routes } from 'discord.js';
import type { Log } from '../outcome.ts';
import { createRest, type Limits } from './rest.ts';

export interface TokenOptions {
  token: string;
  /** Ends in `/api`. Default: Discord's own. */
  apiUrl?: string;
  /** Shared by all that ask with this token. Default: its own. */
  limits?: Limits;
}

/** Sends one request to Discord, with a timeout of 10 seconds. */
export const askOnce = ({ token, ...place }: TokenOptions, route: `/${string}`): Promise<unknown> =>
  createRest(place, { retries: 0 }).setToken(token).get(route);

/** Whether Discord refuses the token. A valid one may get a single 401: a request of another kind must confirm it. */
export async function isRefused(options: TokenOptions, path: string): Promise<boolean> {
  const other = path === Routes.currentApplication() ? Routes.user() : Routes.currentApplication();
  try {
    await askOnce(options, other);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && error.status === 401;
  }
}

/** Calls back once when Discord refuses the token. discord.js drops it on a 401; this restores a valid one. */
export function watchToken(
  rest: REST,
  { onRefused, log, ...options }: TokenOptions & { onRefused?(problem: string): void; log?: Log },
): void {
  let asking = false;
  rest.on('response', ({ path }, { status }) => {
    if (status !== 401 || asking) return;
    asking = true;
    void isRefused(options, path).then((refused) => {
      asking = false;
      if (refused) return onRefused?.('the token is not valid');
      rest.setToken(options.token);
      log?.warn({ path }, 'Discord refused the token once, then accepted it');
    });
  });
}
