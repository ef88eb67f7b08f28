import { setTimeout as delay } from 'node:timers/promises';
import { DiscordAPIError } from 'discord.js';
import type { Log } from '../outcome.ts';
import { isRefused, type TokenOptions } from './token.ts';

/** In ms: the first pause and the longest. */
const pace = { first: 1_000, most: 60_000 };

/** Pauses in ms that double. The random part keeps several bots from trying in step. */
export function* pauses(): Generator<number, never> {
  for (let pause = pace.first; ; pause = Math.min(2 * pause, pace.most)) yield pause * (0.75 + Math.random() / 4);
}

/** The day's 1,000 logins are used up. Discord resets the token of a bot that goes on. */
export class NoLoginsLeft extends Error {
  readonly resetAfter: number;
  /** `resetAfter`: in ms. */
  constructor(resetAfter: number) {
    super('the logins of the day are used up');
    this.name = 'NoLoginsLeft';
    this.resetAfter = resetAfter;
  }
}

interface RetryOptions extends TokenOptions {
  log: Log;
  signal: AbortSignal;
  /** Discord refused the token: nothing will work until somebody changes that. */
  onRefused(problem: string): void;
}

/**
 * Attempts until Discord answers, and logs each failure. Rejects when Discord refuses the token, and when `signal`
 * aborts. `path`: the route that `attempt` requests.
 */
export async function untilAnswered<T>(
  path: string,
  attempt: () => Promise<T>,
  { log, signal, onRefused, ...options }: RetryOptions,
): Promise<T> {
  for (const pause of pauses()) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status === 401 && (await isRefused(options, path))) {
        onRefused('the token is not valid');
        throw error;
      }
      signal.throwIfAborted();
      const wait = error instanceof NoLoginsLeft ? error.resetAfter + pause : pause;
      report(log, error, wait);
      await delay(wait, undefined, { signal });
    }
  }
  throw new Error('the pauses never end');
}

function report(log: Log, error: unknown, wait: number): void {
  const again = new Date(Date.now() + wait).toISOString();
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
