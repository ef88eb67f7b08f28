import {
  type Client,
  DiscordAPIError,
  DiscordjsErrorCodes,
  Events,
  GatewayDispatchEvents,
  type GatewayReadyDispatchData,
  Routes,
} from 'discord.js';
import { DiscordUnavailable, type Log } from '../outcome.ts';
import { isRefused } from './token.ts';

interface LoginOptions {
  token: string;
  /** Ends in `/api`; Discord's own when left out. */
  apiUrl?: string;
  log: Log;
  /** Discord refused the token or the intents: nothing will work until somebody changes that. */
  onRefused(problem: string): void;
}

/** Gateway close codes after which discord.js does not come back: a live process that does nothing. */
const refusals: Readonly<Record<number, string>> = {
  4004: 'the token is not valid',
  4010: 'invalid shard',
  4011: 'sharding required',
  4012: 'invalid gateway version',
  4013: 'invalid intents',
  4014: 'disallowed intents',
};

/** Why a login cannot work, if the fault is in the token or the intents. */
async function refusalOf(error: unknown, options: LoginOptions): Promise<string | undefined> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === DiscordjsErrorCodes.TokenInvalid)
    return (await isRefused(options, Routes.gatewayBot())) ? 'the token is not valid' : undefined;
  return code === DiscordjsErrorCodes.DisallowedIntents || code === DiscordjsErrorCodes.InvalidIntents
    ? 'disallowed intents'
    : undefined;
}

/** Says how the connection is, and whether Discord refuses the bot. */
export function watchConnection(client: Client, { log, onRefused }: LoginOptions): void {
  client.on(Events.Error, (error) => log.warn({ problem: error.message }, 'the gateway met an error'));
  client.on(Events.ShardError, (error) => log.warn({ problem: error.message }, 'the gateway met an error'));
  client.on(Events.ShardReconnecting, () => log.warn({}, 'the connection to Discord is gone'));
  client.on(Events.ShardResume, () => log.info({}, 'Discord is back'));
  client.on(Events.ShardDisconnect, ({ code }) => {
    const problem = refusals[code];
    if (problem !== undefined) onRefused(problem);
  });
  client.on(Events.Invalidated, () => onRefused('the session was invalidated'));
}

/**
 * Resolves when the gateway is ready, with what it said then. discord.js would wait for each guild as well, up to 15
 * seconds: interactions come without that, and need nothing of it.
 */
export async function login(client: Client, options: LoginOptions): Promise<GatewayReadyDispatchData> {
  const { token, onRefused } = options;
  const ready = new Promise<GatewayReadyDispatchData>((resolve) => {
    client.ws.once(GatewayDispatchEvents.Ready, resolve);
  });
  await client.login(token).catch(async (error: unknown) => {
    const problem = await refusalOf(error, options);
    if (problem !== undefined) onRefused(problem);
    throw problem !== undefined || error instanceof DiscordAPIError ? error : new DiscordUnavailable(error);
  });
  return ready;
}
