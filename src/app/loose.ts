import { commands } from '../../commands/index.ts';
import type { Bot } from '../discord/bot.ts';
import type { FollowUps } from '../follow-ups/index.ts';
import { createReminders } from '../follow-ups/reminders.ts';
import { keepPins } from '../handover/pin.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import type { RedisHandle } from '../redis/connect.ts';
import { sole } from '../redis/sole.ts';
import { reminderCard, showAgain } from '../run/retire.ts';
import { isStillLoose } from '../run/since.ts';
import { rulesOf } from './rules.ts';
import type { Closing } from './store.ts';

/** In ms. */
export interface LooseIntervals {
  /** How often is looked for reminders that are due, and whether the pinned counts changed. */
  reminders: number;
  pins: number;
  /** How long a process that falls silent keeps others from doing this. */
  turn: number;
}

const usual: LooseIntervals = { reminders: 5_000, pins: 15_000, turn: 30_000 };

interface Watched {
  ledger: Ledger;
  followUps: FollowUps;
  bot: Bot;
  connection: RedisHandle;
  owner: string;
  /** Bots of other guilds may be on the same Redis. */
  guild: string;
  log: Log;
  now(): number;
  intervals?: Partial<LooseIntervals> | undefined;
}

/** What is done about what is loose, beside commands and clicks: reminders, and the pinned counts where the policy wants them. */
export function watchLoose(policy: Policy, watched: Watched, closing: Closing): { troubles(): readonly string[] } {
  const { ledger, followUps, bot, connection, owner, guild, log, now } = watched;
  const every = { ...usual, ...watched.intervals };
  const showing = { ledger, followUps, commands, rules: rulesOf(policy), desk: bot.desk, log, now };
  const reminders = createReminders({
    ledger,
    desk: bot.followUpDesk,
    card: (stem) => reminderCard(showing, stem),
    isLoose: (state) => isStillLoose(ledger, state),
    reminded: (stem) => showAgain(showing, stem),
    mine: sole(connection.redis, `reminders:${guild}`, owner, { ttl: every.turn }),
    every: every.reminders,
    now,
    log,
  });
  closing.push(() => reminders.close());
  if (!policy.handoverPin) return { troubles: () => [] };
  const pins = keepPins({
    ledger,
    desk: bot.pinDesk,
    channels: policy.channels ?? [],
    mine: sole(connection.redis, `handover-pin:${guild}`, owner, { ttl: every.turn }),
    every: every.pins,
    now,
    log,
  });
  closing.push(() => pins.close());
  return pins;
}
