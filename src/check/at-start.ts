import { setTimeout as delay } from 'node:timers/promises';
import type { Bot } from '../discord/bot.ts';
import type { Log } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import { type PanelFound, type PanelState, panelFound } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { panelChecks } from './about-panel.ts';
import { isBad, textOf } from './line.ts';
import { usualBounds } from './probes.ts';
import { runChecks } from './run.ts';

/** For how long the start waits for the panel, in seconds. */
const patience = 5;

/** Logs what is wrong with the ids of the policy and with the panel. Resolves with the panel's state if it is asked. */
export function checkOutside(
  { tryPanel: isTried, log }: { tryPanel?: boolean; log: Log },
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
  const answered = panel.call('connect', {}, { kind: 'follow-up' }).then((answer) => {
    const [connected, failed] = answer.kind === 'yes' ? [true] : [false, answer];
    return report(panelFound({ connected, failed }, panel.facts()), log);
  });
  const silent = delay(patience * 1_000, undefined, { ref: false });
  const why = `The panel has not answered within ${patience} seconds.`;
  return (await Promise.race([answered, silent])) ?? report({ state: 'unreachable', connected: false, why }, log);
}

/** In the words of a check. */
async function report(found: PanelFound, log: Log): Promise<PanelState> {
  const { state } = found;
  const about = { panel: () => Promise.resolve(found), now: Date.now, bounds: usualBounds };
  const lines = await runChecks(panelChecks, about);
  const wrong = lines.filter(isBad).map(textOf);
  if (state === 'ok') log.info({ state }, 'the panel takes the token');
  else log.warn({ state }, `the panel cannot be used: ${wrong.join(' ')}`);
  return state;
}
