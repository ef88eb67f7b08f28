import { shortNames } from '../src/card.ts';
import type { Access, Tools, ViewOffer } from '../src/command.ts';
import { type Server, shellChannel } from '../src/outcome.ts';
import type { Effect } from '../src/runs/effects.ts';
import { isLeft, type OpenItem } from '../src/view/handover.ts';
import { closingOf } from '../src/view/of-server.ts';

export type May = (command: string) => boolean;

export const mayOf =
  ({ commands, decide }: Access, target: Server): May =>
  (id) => {
    const command = commands.find((each) => each.id === id);
    return command !== undefined && decide(command, target).allowed;
  };

/** What closes what is open on a server, as far as this person may: a button each. */
export function closingOffers({ records }: Pick<Tools, 'records'>, may: May, items: readonly OpenItem[]): ViewOffer[] {
  const steps = items.filter(isLeft).flatMap((item): ViewOffer[] => {
    const closing = closingOf(records, item);
    if (closing === undefined || item.effect === undefined) return [];
    const command = closing.command ?? applying(item.effect);
    return command !== undefined && may(command)
      ? [{ label: labelOf(item.effect), does: closing.does, run: closing.run }]
      : [];
  });
  return steps.filter(({ label }, at) => steps.findIndex((each) => each.label === label) === at);
}

/** Closes reviews of what others did with break-glass, where this person may. */
export const reviewOffers = (
  { actor, mayApprove }: Pick<Access, 'actor' | 'mayApprove'>,
  items: readonly OpenItem[],
): ViewOffer[] =>
  items.filter(isLeft).flatMap(({ group, servers, entry, isSettled }) => {
    if (group !== 'reviews') return [];
    const may = entry.actor.id !== actor.id && servers.every(mayApprove) && isSettled === true;
    const label = `Close the review: ${shortNames(servers)}`;
    return may ? [{ label, does: 'review', run: entry.run }] : [];
  });

/** Cancels a question that was asked at a terminal, which has no card with that button. */
export const cancelOffers = (
  { actor, mayChange }: Pick<Access, 'actor' | 'mayChange'>,
  items: readonly OpenItem[],
): ViewOffer[] =>
  items.filter(isLeft).flatMap(({ group, servers, entry }) => {
    const isOfTerminal = group === 'questions' && entry.place.channel === shellChannel;
    const may = isOfTerminal && (entry.actor.id === actor.id || servers.some(mayChange));
    return may ? [{ label: `Cancel: ${shortNames(servers)}`, does: 'cancel', run: entry.run }] : [];
  });

const applying = (effect: Effect): string | undefined =>
  effect.kind !== 'unapplied' ? undefined : effect.what === 'firewall' ? 'firewall.sync' : 'cpu.throttle';

function labelOf(effect: Effect): string {
  switch (effect.kind) {
    case 'firewall-off':
      return `Enable firewall, ${effect.interface}`;
    case 'no-rules':
      return `Set the rules again, ${effect.interface}`;
    case 'down':
      return 'Boot';
    case 'throttle':
      return 'Undo throttle';
    case 'whitelist':
      return `Undo whitelisting of ${effect.network}`.slice(0, 80);
    case 'unapplied':
      return effect.what === 'firewall' ? `Apply firewall, ${effect.interface}` : 'Apply throttle';
  }
}
