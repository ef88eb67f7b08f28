import { type Client, Events, GatewayDispatchEvents, type GatewayReadyDispatchData, Routes } from 'discord.js';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { NoLoginsLeft, untilAnswered } from './patience.ts';
import { askOnce } from './token.ts';

interface LoginOptions {
  token: string;
  /** Ends in `/api`. Default: Discord's own. */
  apiUrl?: string;
  log: Log;
  /** Ends the attempts. */
  signal: AbortSignal;
  /** Discord refused the token or the intents: nothing will work until somebody changes that. */
  onRefused(problem: string): void;
}

/** Gateway close codes after which discord.js does not reconnect: the process would live on and do nothing. */
const refusals: Readonly<Record<number, string>> = {
  4004: 'the token is not valid',
  4010: 'invalid shard',
  4011: 'sharding required',
  4012: 'invalid gateway version',
  4013: 'invalid intents',
  4014: 'disallowed intents',
};

/** During an outage discord.js tries twice a second: the log has the 1st, 2nd, 4th, 8th … time, and then one a minute. */
const isWorthSaying = (times: number): boolean => Number.isInteger(Math.log2(times)) || times % 128 === 0;

/** Says how the connection is, and whether Discord refuses the bot. */
export function watchConnection(client: Client, { log, onRefused }: Pick<LoginOptions, 'log' | 'onRefused'>): void {
  let errors = 0;
  let losses = 0;
  const fail = (error: Error): void => {
    errors += 1;
    if (isWorthSaying(errors)) log.warn({ problem: error.message, times: errors }, 'gateway error');
  };
  const back = (): void => {
    if (losses > 0) log.info({}, 'reconnected to Discord');
    [errors, losses] = [0, 0];
  };
  client.on(Events.Error, fail);
  client.on(Events.ShardError, fail);
  client.on(Events.ShardReconnecting, () => {
    losses += 1;
    if (isWorthSaying(losses)) log.warn({ times: losses }, 'lost the connection to Discord');
  });
  client.on(Events.ShardResume, back);
  client.on(Events.ShardReady, back);
  client.on(Events.ShardDisconnect, ({ code }) => {
    const problem = refusals[code];
    if (problem !== undefined) onRefused(problem);
  });
}

const gatewayBot = z.object({ session_start_limit: z.object({ remaining: z.number(), reset_after: z.number() }) });

/**
 * Resolves when the gateway is ready, with what it said then; as long as Discord is out of reach, the bot tries again. discord.js
 * would wait for each guild as well, up to 15 seconds: interactions come without that, and need nothing of it. Rejects when Discord
 * refuses the bot, and when `signal` aborts.
 */
export async function login(client: Client, options: LoginOptions): Promise<GatewayReadyDispatchData> {
  /** Errors after which discord.js connects again by itself: a second login would use a second session. */
  const mended = new WeakSet<Error>();
  client.on(Events.ShardError, (error) => void mended.add(error));
  const ready = new Promise<GatewayReadyDispatchData>((resolve, reject) => {
    client.ws.once(GatewayDispatchEvents.Ready, resolve);
    client.once(Events.ShardDisconnect, ({ code }) => reject(new Error(`Discord closed the gateway with ${code}`)));
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
  });
  const attempt = async (): Promise<void> => {
    const { session_start_limit: limit } = gatewayBot.parse(await askOnce(options, Routes.gatewayBot()));
    if (limit.remaining < 1) throw new NoLoginsLeft(limit.reset_after);
    await client.login(options.token).catch((error: unknown) => {
      if (!(error instanceof Error && mended.has(error))) throw error;
    });
  };
  await Promise.race([ready, untilAnswered(Routes.gatewayBot(), attempt, options)]);
  return ready;
}
