import { setTimeout as delay } from 'node:timers/promises';
import { handoverCommands } from '../../commands/handover.ts';
import { commands } from '../../commands/index.ts';
import type { Bot } from '../discord/bot.ts';
import type { LivePolicy } from '../policy/live.ts';
import type { Runner } from '../shell/index.ts';
import type { Parts } from '../shell/parts.ts';
import { namedRoles } from '../terminal/people.ts';
import type { TerminalCards } from '../terminal/screen.ts';
import { serveTerminals, standIn } from '../terminal/server.ts';
import type { CardRenderer } from './cards.ts';
import type { AppOptions } from './options.ts';
import type { Closing } from './store.ts';

interface Around extends Pick<Parts, 'ledger' | 'now'>, Pick<CardRenderer, 'cardOf'> {
  policy: Pick<LivePolicy, 'current'>;
  bot: Pick<Bot, 'rolesOf'>;
  runner: Runner;
  terminals: TerminalCards;
}

/** Says to people at this machine who leads, if the policy has a shell. Ends with the answer. */
export const nameLeader = async (
  { shell, log }: Pick<AppOptions, 'shell' | 'log'>,
  { current }: Pick<LivePolicy, 'current'>,
  leader: () => string | undefined,
): Promise<() => Promise<void>> =>
  shell === undefined || current().shell === undefined ? async () => undefined : standIn({ ...shell, log }, leader);

/** Lets people at this machine in, if the policy has a shell. */
export async function openShell(
  { shell, discord, log }: Pick<AppOptions, 'shell' | 'discord' | 'log'>,
  { policy, bot, terminals, ...around }: Around,
  closing: Closing,
): Promise<void> {
  if (shell === undefined || policy.current().shell === undefined) return;
  const people = () => policy.current().shell?.people ?? [];
  const roleIds = (name: string) => policy.current().roles.flatMap((row) => (row.name === name ? [row.role] : []));
  const rolesOf = (person: string) => inTime(bot.rolesOf(person));
  /** Where Discord does not say it, what the policy names holds for whoever asked, as it does for who approves. */
  const orNamed = (person: string) =>
    rolesOf(person).catch((error: unknown) => namedRoles(people(), person, roleIds) ?? Promise.reject(error));
  const close = await serveTerminals({
    ...{ ...shell, ...around, cards: terminals, commands, log, guild: discord.guild },
    status: handoverCommands.map(({ example }) => example).join(''),
    ...{ people, roleIds, rolesOf, rolesNow: orNamed },
    roleName: (id) => policy.current().roles.find(({ role }) => role === id)?.name,
  });
  closing.push(close);
}

/** How long Discord may take to say which roles somebody has, in ms: then it does not answer. */
const patience = 2_500;

async function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = delay(patience, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('Discord does not answer')),
  );
  return await Promise.race([asked, late]);
}
