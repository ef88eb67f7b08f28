import { setTimeout as delay } from 'node:timers/promises';
import { DiscordAPIError } from 'discord.js';
import { Limited, type Log } from '../outcome.ts';
import { againIn, pauses } from '../waits.ts';
import { isRefused, type TokenOptions } from './token.ts';

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

/** Attempts until Discord answers. Rejects when Discord refuses the token, and when `signal` aborts. */
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
      const ms = waitAfter(error, pause);
      report(log, error, ms);
      await delay(ms, undefined, { signal });
    }
  }
  throw new Error('the pauses never end');
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
