import { setTimeout as delay } from 'node:timers/promises';
import type { Bot } from '../discord/bot.ts';
import type { Log } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import { judgePanel, type PanelJudgement, type PanelState, unresponsivePanel } from '../panel/state.ts';
import type { Policy } from '../policy/schema.ts';
import type { AppOptions } from './options.ts';

/** For how long the start waits for the panel, in seconds. */
const patience = 5;

/** Logs what is wrong with the ids of the policy and with the panel. Resolves with the panel's state if it is asked. */
export function checkOutside(
  { tryPanel: isTried, log }: AppOptions,
  policy: Policy,
  { bot, panel }: { bot: Bot; panel: Panel },
): Promise<PanelState | undefined> {
  void warnOfMissing(policy, bot, log);
  return isTried ? askPanel(panel, log) : Promise.resolve(undefined);
}

/** A wrong id in the policy looks like a refusal to everybody. */
async function warnOfMissing({ roles, channels = [] }: Policy, bot: Bot, log: Log): Promise<void> {
  const missing = await bot.missing({ roles: roles.map(({ role }) => role), channels });
  if (missing.roles.length > 0)
    log.warn({ roles: missing.roles }, 'the policy names roles that this guild does not have: check their ids');
  if (missing.channels.length > 0)
    log.warn(
      { channels: missing.channels },
      'the policy names channels that are not text channels, or that the bot cannot see: check their ids',
    );
}

/** Asks the panel once, as a follow-up's look, and logs what is wrong with it: also if that comes after the start. */
async function askPanel(panel: Panel, log: Log): Promise<PanelState> {
  const answered = panel.call('connect', {}, { kind: 'follow-up' }).then(judgePanel);
  const first = await Promise.race([answered, delay(patience * 1_000, undefined, { ref: false })]);
  if (first !== undefined) return report(first, log);
  void answered.then((late) => report(late, log));
  return report(unresponsivePanel(patience), log);
}

function report({ state, words }: PanelJudgement, log: Log): PanelState {
  if (words === undefined) log.info({ state }, 'the panel takes the token');
  else log.warn({ state }, `the panel cannot be used: ${words}`);
  return state;
}
