import type { Bot } from '../discord/bot.ts';
import { createReminders } from '../follow-ups/reminders.ts';
import { keepPins } from '../handover/pin.ts';
import type { Log } from '../outcome.ts';
import type { Policy } from '../policy/schema.ts';
import type { CardRoom } from './cards.ts';
import type { Closing, Store } from './store.ts';

/** In ms. */
export interface DutyIntervals {
  /** How often is looked for reminders that are due, and whether the pinned counts changed. */
  reminders: number;
  pins: number;
  /** How long a process that times out keeps others from doing this. */
  lead: number;
}

const usual: DutyIntervals = { reminders: 5_000, pins: 15_000, lead: 30_000 };

interface Around extends Pick<Store, 'ledger' | 'isLeader'> {
  bot: Pick<Bot, 'messages' | 'pinnedMessages'>;
  reminder: CardRoom['reminder'];
  /** Bots of other guilds may be on the same Redis. */
  guild: string;
  log: Log;
  now(): number;
  intervals?: Partial<DutyIntervals> | undefined;
}

/** What one process does at a time beside commands and clicks: reminders, and the pinned counts where the policy wants them. */
export function startDuties(policy: Policy, around: Around, closing: Closing): { troubles(): readonly string[] } {
  const { ledger, bot, guild, log, now, isLeader } = around;
  const every = { ...usual, ...around.intervals };
  const reminders = createReminders({
    ledger,
    messages: bot.messages,
    card: around.reminder,
    isLeader: isLeader(`reminders:${guild}`, every.lead),
    every: every.reminders,
    now,
    log,
  });
  closing.push(() => reminders.close());
  if (!policy.handoverPin) return { troubles: () => [] };
  const pins = keepPins({
    ledger,
    messages: bot.pinnedMessages,
    channels: policy.channels ?? [],
    isLeader: isLeader(`handover-pin:${guild}`, every.lead),
    every: every.pins,
    now,
    log,
  });
  closing.push(() => pins.close());
  return pins;
}
