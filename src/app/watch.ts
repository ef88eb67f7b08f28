import type { Redis } from 'ioredis';
import type { Card } from '../card.ts';
import type { Bot } from '../discord/bot.ts';
import { createReminders } from '../follow-ups/reminders.ts';
import { keepPins } from '../handover/pin.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import { leaderLease } from '../redis/leader.ts';
import type { Closing } from './store.ts';

/** In ms. */
export interface WatchIntervals {
  /** How often is looked for reminders that are due, and whether the pinned counts changed. */
  reminders: number;
  pins: number;
  /** How long a leader that falls silent keeps others from leading. */
  lease: number;
}

const usual: WatchIntervals = { reminders: 5_000, pins: 15_000, lease: 30_000 };

interface Watched {
  ledger: Ledger;
  bot: Pick<Bot, 'messages' | 'pinnedMessages'>;
  /** The message that reminds of the runs of an invocation. */
  reminder(invocationId: string): Card | undefined;
  /** What the processes of one ledger share; left out: there is only this one. */
  shared?: { redis: Redis; processId: string };
  /** Bots of other guilds may be on the same Redis. */
  guild: string;
  log: Log;
  now(): number;
  intervals?: Partial<WatchIntervals> | undefined;
}

/** What is done about open effects, beside commands and clicks: reminders, and the pinned counts where the policy wants them. */
export function watchEffects(policy: Policy, watched: Watched, closing: Closing): { troubles(): readonly string[] } {
  const { ledger, bot, reminder, shared, guild, log, now } = watched;
  const every = { ...usual, ...watched.intervals };
  const leads = (name: string): (() => Promise<boolean>) =>
    shared === undefined
      ? () => Promise.resolve(true)
      : leaderLease(shared.redis, `${name}:${guild}`, shared.processId, { ttl: every.lease });
  const reminders = createReminders({
    ...{ ledger, messages: bot.messages, card: reminder, isLeader: leads('reminders') },
    ...{ every: every.reminders, now, log },
  });
  closing.push(() => reminders.close());
  if (!policy.handoverPin) return { troubles: () => [] };
  const pins = keepPins({
    ...{ ledger, desk: bot.pinnedMessages, channels: policy.channels ?? [], isLeader: leads('handover-pin') },
    ...{ every: every.pins, now, log },
  });
  closing.push(() => pins.close());
  return pins;
}
