import { commands } from '../../commands/index.ts';
import { buttonKinds } from '../cards/buttons.ts';
import type { Bot } from '../discord/bot.ts';
import type { FollowUps } from '../follow-ups/index.ts';
import type { Backlog, Vitals } from '../health/vitals.ts';
import type { Refresh } from '../inventory/refresh.ts';
import type { Panel } from '../panel/client.ts';
import { expiryOf, isOpenQuestion, type RunState } from '../runs/state.ts';
import type { CardRenderer } from './cards.ts';
import type { RedisSide } from './redis-place.ts';
import type { TrailPart } from './trail.ts';

interface Watched extends Pick<CardRenderer, 'ledger'> {
  bot: Pick<Bot, 'isConnected'>;
  redis: Pick<RedisSide, 'now'>;
  panel: Pick<Panel, 'budgetLeft'>;
  followUps: Pick<FollowUps, 'lastCanary' | 'states'>;
  trail: Pick<TrailPart, 'trail' | 'backlog'>;
  inventory: Pick<Refresh, 'state'>;
  now(): number;
}

/** How this process is, read from what it works with. */
export function vitalsOf(watched: Watched): Vitals {
  const { ledger, bot, redis, panel, followUps, trail, inventory, now } = watched;
  return {
    role: 'leader',
    leads: ledger.isHeld,
    gateway: bot.isConnected,
    redis: () => redis.now()?.connection.redis.status === 'ready',
    probeLedger: ledger.probe,
    lastCanary: followUps.lastCanary,
    questions: () => ledger.open().filter((state) => isOpenQuestion(state) && expiryOf(state) > now()).length,
    unknown: () => backlogOf(ledger.unknown()),
    followUps: followUps.states,
    trail: trail.backlog,
    holds: () => trail.trail.troubles().map(({ reason }) => reason),
    lag: trail.trail.lag,
    panel: panel.budgetLeft,
    inventory: inventory.state,
    outbox: ledger.waiting,
  };
}

/** Runs with an outcome, oldest first. */
const backlogOf = ([first, ...others]: readonly RunState[]): Backlog => ({
  count: first === undefined ? 0 : 1 + others.length,
  oldest: first?.outcome === undefined ? undefined : Date.parse(first.outcome.time),
});

/** What metrics may name: nothing that somebody outside chose. */
export const labels = { commands: commands.map(({ id }) => id), buttons: buttonKinds };
