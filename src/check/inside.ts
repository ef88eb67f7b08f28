import type { Redis } from 'ioredis';
import type { Intake } from '../alerts/intake.ts';
import { judgeRedis } from '../app/redis.ts';
import type { Checked, TrailTools } from '../command.ts';
import type { Rules } from '../decide/rules.ts';
import { probeDiscord } from '../discord/probe.ts';
import type { Refresh } from '../inventory/refresh.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ChannelClosed, DiscordUnavailable, LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import { type PanelAnswers, panelFound } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { refusalOf } from '../redis/refusal.ts';
import type { Waits } from '../waits.ts';
import { guildOf } from './about-discord.ts';
import { isLeft, type Line } from './line.ts';
import { checks } from './list.ts';
import {
  alertsIn,
  backupsIn,
  commandsIn,
  diskOf,
  inventoryIn,
  noPanel,
  once,
  restoreIn,
  trailIn,
  withTimeout,
} from './looks.ts';
import { type Probes, usualBounds } from './probes.ts';
import { runChecks } from './run.ts';

/** What the checks look at in the running bot. */
export interface RunningBot {
  discord: { token: string; guild: string; apiUrl?: string };
  audit?: string | undefined;
  policy(): Policy;
  dataDir: string;
  redis(): Redis | undefined;
  sandboxed?: boolean;
  ledgerIn: 'file' | 'redis';
  ledger: Pick<Ledger, 'entries' | 'past' | 'probe'>;
  trail: Pick<TrailTools, 'verify'>;
  panel: Pick<Panel, 'look' | 'facts'>;
  inventory: Pick<Refresh, 'state'>;
  rules: Pick<Rules, 'servers'>;
  lastCanary(): Promise<number | undefined>;
  waits: Pick<Waits, 'current'>;
  /** Where it takes alerts, if it does. */
  alerts?: Pick<Intake, 'url'> | undefined;
}

/** Runs every check in the running bot. `answers`: the panel's answers to the person who asks. */
export type CheckInside = (answers: PanelAnswers, caller: Caller) => Promise<readonly Line[]>;

export function checkInside(bot: RunningBot): CheckInside {
  const since = Date.now();
  return (answers, caller) => runChecks(checks, insideProbes(bot, since, answers, caller));
}

function insideProbes(bot: RunningBot, since: number, answers: PanelAnswers, caller: Caller): Probes {
  const { ledger, panel } = bot;
  const policy = bot.policy();
  const found = panelFound(answers, panel.facts());
  const verified = once(() => verifiedIn(bot));
  const probes: Probes = {
    configuration: () => Promise.resolve({ left: 'The bot started with it. panelops check reads it again.' }),
    policy: () => Promise.resolve(policy),
    audit: () => Promise.resolve({ channel: bot.audit }),
    discord: once(() => withTimeout(probeDiscord(bot.discord), { state: 'unreachable' })),
    async commands() {
      const guild = await guildOf(probes);
      return isLeft(guild) ? guild : commandsIn(guild, policy);
    },
    panel: () => Promise.resolve(found),
    redis() {
      const redis = bot.redis();
      if (redis === undefined) return Promise.resolve({ left: 'The embedded Redis is still starting.' });
      return judgeRedis(redis, { ledgerIn: bot.ledgerIn, token: bot.sandboxed ? undefined : bot.discord.token });
    },
    async ledger() {
      const checked = await verified();
      const unwritable = await reasonOf(ledger);
      const entries = ledger.entries().length;
      if (checked === 'late') return { entries, late: true, unwritable };
      if ('left' in checked) return unwritable === undefined ? checked : { entries, unwritable };
      return { entries, problem: checked.problem?.words, unwritable };
    },
    async trail() {
      const checked = await verified();
      if (checked === 'late') return { left: 'There was no time to compare all of it: use /audit verify.' };
      if (!('left' in checked)) {
        if (checked.problem !== undefined) return { left: 'It needs an intact ledger.' };
        return trailIn(checked, ledger.entries(), Date.now());
      }
      return checked.isClosed ? { left: 'The bot may not read the audit channel.' } : checked;
    },
    async canary() {
      const last = await bot.lastCanary();
      if (last === undefined && Date.now() - since < usualBounds.canaryMs) return { left: 'The bot has just started.' };
      return { last };
    },
    restore: () =>
      found.state === 'ok'
        ? restoreIn(policy, ledger.past.lastRestore(), { panel, caller, now: Date.now() })
        : Promise.resolve(noPanel),
    backups: () => {
      const server = ledger.past.lastRestore()?.server ?? bot.rules.servers[0];
      return found.state === 'ok'
        ? backupsIn(policy, server?.id, { panel, caller })
        : Promise.resolve(policy.backupList && noPanel);
    },
    inventory: () => inventoryIn(policy, bot.rules.servers, bot.inventory.state()?.at),
    calendars: () => Promise.resolve([]),
    alerts: () => Promise.resolve(alertsIn(policy, bot.alerts && { at: bot.alerts.url, state: 'the bot' })),
    disk: () => diskOf(bot.dataDir),
    waits: () => Promise.resolve(bot.waits.current()),
    bounds: usualBounds,
    now: Date.now,
  };
  return probes;
}

/** Verifies ledger and channel, or returns 'late': unlike /audit verify, a check has little time. */
async function verifiedIn({ trail }: RunningBot) {
  try {
    return await withTimeout<Checked | 'late'>(trail.verify(), 'late');
  } catch (error) {
    if (error instanceof RedisUnavailable) return { left: 'It needs Redis.', isClosed: false };
    if (error instanceof DiscordUnavailable)
      return { left: 'It needs the messages of the audit channel, which Discord did not give.', isClosed: false };
    if (error instanceof ChannelClosed) return { left: 'It needs an audit channel that can be read.', isClosed: true };
    return 'late';
  }
}

async function reasonOf({ probe }: Pick<Ledger, 'probe'>): Promise<string | undefined> {
  try {
    await probe();
    return undefined;
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const { cause } = error;
    if (!(cause instanceof Error)) return 'it takes no entries';
    return 'code' in cause ? String(cause.code) : (refusalOf(cause)?.problem ?? 'it takes no entries');
  }
}
