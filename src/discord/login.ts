import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DiscordAPIError, Events, GatewayDispatchEvents, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { Limited, type Log } from '../outcome.ts';
import { againIn, pauses } from '../waits.ts';
import { createRest, type Limits } from './rest.ts';

export interface TokenOptions {
  token: string;
  /** Ends in `/api`. Default: Discord's own. */
  apiUrl?: string;
  /** Shared by all that ask with this token. Default: its own. */
  limits?: Limits;
}

/** Sends one request to Discord, with a timeout of 10 seconds. */
const askOnce = ({ token, ...place }: TokenOptions, route: `/${string}`): Promise<unknown> =>
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

interface LoginOptions extends TokenOptions {
  log: Log;
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

/** Logs when the connection is lost and restored. Calls `onRefused` if Discord refuses the bot. */
export function watchConnection(client: Client, { log, onRefused }: Pick<LoginOptions, 'log' | 'onRefused'>): void {
  let errors = 0;
  let losses = 0;
  const onError = (error: Error): void => {
    errors += 1;
    log.warn({ problem: error.message, times: errors }, 'gateway error');
  };
  const onConnected = (): void => {
    if (losses > 0) log.info({}, 'reconnected to Discord');
    [errors, losses] = [0, 0];
  };
  client.on(Events.Error, onError);
  client.on(Events.ShardError, onError);
  client.on(Events.ShardReconnecting, () => {
    losses += 1;
    log.warn({ times: losses }, 'lost the connection to Discord');
  });
  client.on(Events.ShardResume, onConnected);
  client.on(Events.ShardReady, onConnected);
  client.on(Events.ShardDisconnect, ({ code }) => {
    const problem = refusals[code];
    if (problem !== undefined) onRefused(problem);
  });
}

const sessionShape = z.object({
  application: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  guilds: z.array(z.object({ id: z.string() })),
});

/** What READY says of the bot. */
export type Session = z.infer<typeof sessionShape>;

const gatewayBot = z.object({ session_start_limit: z.object({ remaining: z.number(), reset_after: z.number() }) });

/**
 * Resolves with the payload of READY. Retries while Discord is out of reach. Does not wait for guilds, as discord.js
 * would for up to 15 seconds: interactions need none. Rejects when Discord refuses the bot, and when `signal` aborts.
 */
export async function login(client: Client, options: LoginOptions): Promise<Session> {
  /** Errors from which discord.js recovers by itself: a second login would use up a second session. */
  const recovered = new WeakSet<Error>();
  client.on(Events.ShardError, (error) => void recovered.add(error));
  const ready = new Promise<Session>((resolve, reject) => {
    client.ws.on(GatewayDispatchEvents.Ready, (data) => resolve(sessionShape.parse(data)));
    client.once(Events.ShardDisconnect, ({ code }) => reject(new Error(`Discord closed the gateway with ${code}`)));
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
  });
  const attempt = async (): Promise<void> => {
    const { session_start_limit: limit } = gatewayBot.parse(await askOnce(options, Routes.gatewayBot()));
    if (limit.remaining < 1) throw new NoLoginsLeft(limit.reset_after);
    await client.login(options.token).catch((error: unknown) => {
      if (!(error instanceof Error && recovered.has(error))) throw error;
    });
  };
  await Promise.race([ready, untilAnswered(attempt, options)]);
  return ready;
}

/** The day's 1,000 logins are used up. Discord resets the token of a bot that goes on. */
class NoLoginsLeft extends Error {
  /** In ms. */
  readonly resetAfter: number;
  constructor(resetAfter: number) {
    super('the logins of the day are used up');
    this.resetAfter = resetAfter;
  }
}

/** Attempts until Discord answers. Rejects when Discord refuses the token, and when `signal` aborts. */
async function untilAnswered(
  attempt: () => Promise<void>,
  { log, signal, onRefused, ...options }: LoginOptions,
): Promise<void> {
  for (const pause of pauses()) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status === 401 && (await isRefused(options, Routes.gatewayBot()))) {
        onRefused('the token is not valid');
        throw error;
      }
      signal.throwIfAborted();
      const ms = waitAfter(error, pause);
      report(log, error, ms);
      await delay(ms, undefined, { signal });
    }
  }
}

/** A timer takes no more than 24 days. */
const longest = 86_400_000;

/** How long to wait before the next attempt, in ms. */
export function waitAfter(error: unknown, pause: number): number {
  if (error instanceof NoLoginsLeft) return Math.min(longest, error.resetAfter + pause);
  return error instanceof Limited ? Math.max(pause, error.until - Date.now()) : pause;
}

function report(log: Log, error: unknown, ms: number): void {
  const again = againIn(ms);
  // Named already, where the limit was met.
  if (error instanceof Limited) return;
  if (error instanceof NoLoginsLeft)
    log.warn(
      { again },
      'This bot has used up its logins of the day, and waits until Discord grants new ones. Find out what keeps restarting it.',
    );
  else
    log.warn(
      { problem: String(error), again },
      'Discord cannot be reached; the bot tries again. Check the network, and DISCORD_API_URL where it is set.',
    );
}
