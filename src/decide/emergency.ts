import type { Button } from '../card.ts';
import { glassButton } from '../cards/buttons.ts';
import type { Command } from '../command.ts';
import type { Server } from '../outcome.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { type Ask, preparedOf, type Refusal } from './authorize.ts';
import type { Snapshot } from './decision.ts';
import { denyHidden } from './reach.ts';

/** Whether these roles may run the command with break-glass on all of these servers. */
export const mayBreakGlass = (
  { rules, commands }: Pick<Snapshot, 'rules' | 'commands'>,
  roles: readonly string[],
  id: string,
  servers: readonly Server[],
): boolean => {
  const command = commands.find((each) => each.id === id);
  const may = (server: Server): boolean => command !== undefined && rules.decide(roles, command, server, true).allowed;
  return servers.length > 0 && servers.every(may);
};

/** The button of a denial, if its actor may go on with break-glass. */
export function breakGlassOffer(
  snapshot: Pick<Snapshot, 'rules' | 'commands' | 'now'>,
  { interaction, actor, command: id, options }: Ask & { interaction: { id: string } },
  { denial }: Refusal,
): Button[] {
  // The offer would tell that there is such a server.
  if (denial === undefined || denyHidden(snapshot, actor, denial.command, options['server']) !== undefined) return [];
  const prepared = preparedOf(snapshot, { command: id, options });
  const may = prepared !== undefined && mayBreakGlass(snapshot, actor.roles, id, prepared.servers);
  return may ? [glassButton(invocationIdOf(interaction.id))] : [];
}

/** Whether these roles may say how a run with break-glass ended: whoever may do it in an emergency. */
export function mayEndEmergency(
  { rules, ledger }: Pick<Snapshot, 'rules' | 'ledger'>,
  roles: readonly string[],
  command: Command,
  run: string,
): boolean {
  const { asked } = ledger.run(run) ?? {};
  return asked?.glass !== undefined && rules.decide(roles, command, asked.server, true).allowed;
}
