import type { Button } from '../card.ts';
import { button } from '../cards/buttons.ts';
import { askLabel } from '../cards/render/thaw.ts';
import type { Command, PreparedChange } from '../command.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { changesPanel } from './audience.ts';
import { type Ask, bounds, preparedOf, type Refusal } from './authorize.ts';
import type { Snapshot } from './decision.ts';
import { denyHidden } from './reach.ts';

type Lifting = Pick<Snapshot, 'rules' | 'commands' | 'now'>;
type Asked = Pick<Ask, 'actor' | 'command' | 'options'>;

/** What was denied, as far as others could lift it. */
export interface Liftable {
  command: Command;
  prepared: PreparedChange;
  /** The names of those who are asked. */
  holders: readonly string[];
  lacksReason: boolean;
}

/** What others could lift of a denial: a change, with valid options, which somebody may run on all of its servers. */
export function liftable(
  snapshot: Lifting,
  { actor, command: id, options }: Asked,
  { denial }: Refusal,
): Liftable | undefined {
  const { rules } = snapshot;
  if (!rules.askOthers || denial === undefined) return undefined;
  const { command } = denial;
  // The offer would tell that there is such a server.
  if (denyHidden(snapshot, actor, command, options['server']) !== undefined) return undefined;
  const prepared = changesPanel(command) ? preparedOf(snapshot, { command: id, options }) : undefined;
  // Beyond the policy's limits nobody could take it on.
  if (prepared === undefined || bounds(snapshot, command, prepared) !== undefined) return undefined;
  const lacksReason = prepared.reason === undefined && rules.requirements(command, prepared.servers).reason;
  const holders = rules.toAsk(rules.approvers(prepared.servers, id));
  return holders.length === 0 ? undefined : { command, prepared, holders, lacksReason };
}

/** The button of a denial, where others could lift it. */
export function requestOffer(
  snapshot: Lifting,
  asked: Asked & { interaction: { id: string } },
  refusal: Refusal,
): Button[] {
  const found = liftable(snapshot, asked, refusal);
  return found === undefined ? [] : [button(askLabel(found.holders), 'lead', invocationIdOf(asked.interaction.id))];
}
