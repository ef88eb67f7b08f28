import { type Button, type Markup, md, moment, trusted } from '../card.ts';
import { button, glassButton } from '../cards/buttons.ts';
import { askLabel } from '../cards/render/thaw.ts';
import type { Command, PreparedChange } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationIdOf, invocationOf, runIdOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';
import { type Ask, bounds, preparedOf, type Refusal } from './authorize.ts';
import type { Answer, Press, Request, Snapshot, Typed } from './decision.ts';
import { alsoInTrail, notSent } from './notes.ts';
import { changesPanel, denyHidden } from './reach.ts';
import { onlyServers } from './undo.ts';

/** How long a denial offers to ask others or to break glass, and how long a request waits, in ms. */
export const requestTime = 15 * 60_000;

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The record of this person's denial. Denials that are only counted have none of their own. */
function recordOf({ ledger }: Snapshot, { actor, payload }: Press): Kind<'denied'> | undefined {
  const denied = ledger.run(runIdOf(payload, 1))?.outcome;
  const isTheirs = denied?.kind === 'denied' && denied.folded === undefined && denied.actor.id === actor.id;
  return isTheirs ? denied : undefined;
}

/** The denial whose button this person pressed, while its buttons work: about the servers that were meant then. */
export function denialOf(snapshot: Snapshot, press: Press): Kind<'denied'> | undefined {
  const denied = recordOf(snapshot, press);
  if (denied === undefined || snapshot.now() - Date.parse(denied.time) > requestTime) return undefined;
  return { ...denied, options: onlyServers(denied.options, denied.meant ?? []) };
}

/** Why a button of a denial no longer works, and how to get one that does. */
export function noDenial(snapshot: Snapshot, press: Press): Answer {
  const words =
    recordOf(snapshot, press) === undefined
      ? `The bot has no separate record of this denial: after several in a short time it only counts them. Wait ${minutes(snapshot.limits.denials.window)} minutes, type the command again, and press the button of the new answer. Until then, ask in the channel.`
      : `This denial is more than ${minutes(requestTime)} minutes old. Type the command again, and press the button of the new answer.`;
  return notSent('this button', trusted(`${words} Nothing was sent.`));
}

/** Since when what was denied may have been done, and what a denied Undo would have undone, whoever goes on with it. */
export function continuationOf(denied: RunState['outcome']): Pick<Typed, 'undoes' | 'since'> {
  const pressed = denied?.kind === 'denied' ? denied.pressed : undefined;
  return { since: denied?.seq, undoes: pressed?.button === 'undo' ? invocationOf(pressed.run) : undefined };
}

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
function breakGlassOffer(
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
function requestOffer(snapshot: Lifting, asked: Asked & { interaction: { id: string } }, refusal: Refusal): Button[] {
  const found = liftable(snapshot, asked, refusal);
  return found === undefined ? [] : [button(askLabel(found.holders), 'lead', invocationIdOf(asked.interaction.id))];
}

/** A denial with the ways that the policy leaves this person, unless they are on one of them already. */
export function withOffers(snapshot: Snapshot, request: Request, refusal: Refusal): Refusal {
  if (request.denied !== undefined || request.breakGlass !== undefined) return refusal;
  const breakGlass = breakGlassOffer(snapshot, request, refusal);
  const offers = [...requestOffer(snapshot, request, refusal), ...breakGlass];
  // Their buttons need the record of this denial.
  const counted = offers.length === 0 ? undefined : snapshot.limits.denials.countedUntil(request.actor);
  const buttons = counted === undefined ? offers : [];
  const { card, denial } = refusal;
  const next = counted !== undefined ? [aboutCounted(counted)] : breakGlass.length === 0 ? [] : [aboutBreakGlass];
  const body = denial?.command.instead === undefined ? card.body : [...card.body, ...alsoInTrail(snapshot.trail)];
  return {
    ...refusal,
    card: { ...card, body, next: [...(card.next ?? []), ...next], ...(buttons.length === 0 ? {} : { buttons }) },
  };
}

const aboutBreakGlass = trusted(
  'Break glass: you confirm it, it runs at once, and somebody else reviews it afterwards.',
);
const aboutCounted = (until: number): Markup =>
  md`After so many denials this one has no buttons. Type the command again ${moment(until)}, or ask in the channel.`;
