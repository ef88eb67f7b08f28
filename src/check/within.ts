import type { Redis } from 'ioredis';
import type { Checked, TrailTools } from '../command.ts';
import { defined } from '../defined.ts';
import { probeDiscord } from '../discord/probe.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnsafe, syncOf } from '../ledger/redis-safety.ts';
import { ChannelClosed, LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import { type PanelAnswers, panelFound } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { askRedis, type RedisFound, unusable } from '../redis/probe.ts';
import { guildOf } from './about-discord.ts';
import { isLeft, type Line } from './line.ts';
import { checks } from './list.ts';
import { commandsIn, diskOf, once, restoreIn, soon, trailIn } from './looks.ts';
import { type Probes, usualBounds } from './probes.ts';
import { runChecks } from './run.ts';

/** The running bot, as far as it is looked at. */
export interface Within {
  discord: { token: string; guild: string; apiUrl?: string };
  /** The id of the audit channel. */
  audit?: string | undefined;
  /** The one in force. */
  policy(): Policy;
  dataDir: string;
  /** Whether the ledger is in this Redis too. */
  redis: Redis;
  ledgerIn: 'file' | 'redis';
  ledger: Pick<Ledger, 'entries' | 'past' | 'probe'>;
  trail: Pick<TrailTools, 'verify'>;
  panel: Pick<Panel, 'look' | 'facts'>;
  lastCanary(): Promise<number | undefined>;
}

/** Runs every check from inside. `told`: what the panel has just said to the person who asks. */
export type CheckWithin = (told: PanelAnswers, caller: Caller) => Promise<readonly Line[]>;

export function checkWithin(bot: Within): CheckWithin {
  const since = Date.now();
  return (told, caller) => runChecks(checks, probesWithin(bot, since, told, caller));
}

function probesWithin(bot: Within, since: number, told: PanelAnswers, caller: Caller): Probes {
  const { ledger, panel } = bot;
  const policy = bot.policy();
  const found = panelFound(told, panel.facts());
  const verified = once(() => verifiedIn(bot));
  const probes: Probes = {
    configuration: () => Promise.resolve({ left: 'The bot started with it. panelops check reads it again.' }),
    policy: () => Promise.resolve(policy),
    audit: () => Promise.resolve(defined({ channel: bot.audit })),
    discord: once(() => soon(probeDiscord(bot.discord), { state: 'unreachable' })),
    async commands() {
      const guild = await guildOf(probes);
      return isLeft(guild) ? guild : commandsIn(guild, policy);
    },
    panel: () => Promise.resolve(found),
    redis: () => redisIn(bot),
    async ledger() {
      const checked = await verified();
      const unwritable = await refusalOf(ledger);
      const entries = ledger.entries().length;
      if (checked === 'late') return { entries, late: true, ...defined({ unwritable }) };
      if ('left' in checked) return unwritable === undefined ? checked : { entries, unwritable };
      return { entries, ...defined({ problem: checked.problem?.words, unwritable }) };
    },
    async trail() {
      const checked = await verified();
      if (checked === 'late') return { left: 'There was no time to compare it whole: use /audit verify.' };
      if (!('left' in checked)) {
        if (checked.problem !== undefined) return { left: 'It needs a ledger that is whole.' };
        return trailIn(checked, ledger.entries(), Date.now());
      }
      return checked.isClosed ? { left: 'The bot may not read the audit channel.' } : checked;
    },
    async canary() {
      const last = await bot.lastCanary();
      if (last === undefined && Date.now() - since < usualBounds.canaryMs) return { left: 'The bot has just started.' };
      return defined({ last });
    },
    restore: () =>
      found.state === 'ok'
        ? restoreIn(policy, ledger.past.lastRestore(), { panel, caller, now: Date.now() })
        : Promise.resolve({ left: 'It needs a panel that answers.' }),
    disk: () => diskOf(bot.dataDir),
    bounds: usualBounds,
    now: Date.now,
  };
  return probes;
}

/** The ledger and its channel as they were read whole, where there is time for that: /audit verify takes its time. */
async function verifiedIn({ trail }: Within) {
  try {
    return await soon<Checked | 'late'>(trail.verify(), 'late');
  } catch (error) {
    if (error instanceof RedisUnavailable) return { left: 'It needs Redis.', isClosed: false };
    if (error instanceof ChannelClosed) return { left: 'It needs an audit channel that can be read.', isClosed: true };
    return 'late';
  }
}

async function refusalOf({ probe }: Pick<Ledger, 'probe'>): Promise<string | undefined> {
  try {
    await probe();
    return undefined;
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const { cause } = error;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'it takes no entries';
  }
}

async function redisIn({ redis, ledgerIn }: Within): Promise<RedisFound> {
  try {
    const unsafe = ledgerIn === 'redis' ? await syncOf(redis).then(() => undefined, unsafety) : undefined;
    return { state: 'ok', ...(await askRedis(redis)), ...defined({ unsafe }) };
  } catch (error) {
    return unusable(error);
  }
}

function unsafety(error: unknown): { problem: string; remedy: string } {
  if (error instanceof LedgerUnsafe) return { problem: error.problem, remedy: error.remedy };
  throw error;
}
