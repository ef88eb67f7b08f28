import { DiscordAPIError, REST, Routes } from 'discord.js';
import { defined } from '../defined.ts';
import type { Log } from '../outcome.ts';

interface TokenOptions {
  token: string;
  /** Ends in `/api`; Discord's own when left out. */
  apiUrl?: string;
}

/**
 * Whether Discord refuses the token. It may say 401 once to a good one, so that a second request of another kind has to be answered
 * the same. `path`: of the first.
 */
export async function isRefused({ token, apiUrl }: TokenOptions, path: string): Promise<boolean> {
  const rest = new REST({ ...defined({ api: apiUrl }), retries: 0, timeout: 10_000 });
  const other = path === Routes.currentApplication() ? Routes.user() : Routes.currentApplication();
  try {
    await rest.setToken(token).get(other);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && error.status === 401;
  }
}

/** Calls back once Discord refuses the token of this client. discord.js forgets it on a 401, and gets it back where it is good. */
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
      log?.warn({ path }, 'Discord refused the token once, and took it again');
    });
  });
}
