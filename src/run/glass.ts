import type { Button } from '../card.ts';
import { glassButton } from '../cards/buttons.ts';
import type { Command } from '../command.ts';
import type { RawOptions, Server } from '../outcome.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { preparedOf, type Refusal } from './authorize.ts';
import type { Click, Invocation, Parts, RunParts } from './parts.ts';
import { denyHidden } from './reach.ts';

/** Whether these roles may run the command with break-glass on all of these servers. */
export const mayBreakGlass = (
  { rules, commands }: Pick<Parts, 'rules' | 'commands'>,
  roles: readonly string[],
  id: string,
  servers: readonly Server[],
): boolean => {
  const command = commands.find((each) => each.id === id);
  const may = (server: Server): boolean => command !== undefined && rules.decide(roles, command, server, true).allowed;
  return servers.length > 0 && servers.every(may);
};

/** The button of a denial, if its actor may go on with break-glass. */
export function glassOffer(
  parts: RunParts,
  { interaction, actor, command: id, options }: Invocation,
  { denial }: Refusal,
): Button[] {
  if (denial === undefined || isHidden(parts, actor, denial.command, options)) return [];
  const prepared = preparedOf(parts, { command: id, options });
  const may = prepared !== undefined && mayBreakGlass(parts, actor.roles, id, prepared.servers);
  return may ? [glassButton(invocationIdOf(interaction.id))] : [];
}

/** The offer would tell that there is such a server. */
const isHidden = (parts: RunParts, actor: Click['actor'], command: Command, options: RawOptions): boolean =>
  denyHidden(parts, actor, command, options['server']) !== undefined;

/** Whether these roles may say how a run with break-glass ended: whoever may do it in an emergency. */
export function mayEndEmergency(
  { rules, ledger }: Pick<Parts, 'rules' | 'ledger'>,
  roles: readonly string[],
  command: Command,
  run: string,
): boolean {
  const { asked } = ledger.run(run) ?? {};
  return asked?.glass !== undefined && rules.decide(roles, command, asked.server, true).allowed;
}
