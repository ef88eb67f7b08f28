import { type Markup, md, moment, own, serverName } from '../card.ts';
import type { Records } from '../ledger/ledger.ts';
import type { Server } from '../outcome.ts';
import { typedName } from './cards.ts';

/** What ended unknown on these servers, and nobody has said how since. `then`: what a person does about it. */
export function doubts(records: Pick<Records, 'unknown'>, servers: readonly Server[], then: string): Markup[] {
  return records.unknown().flatMap(({ run, outcome, followUp }) => {
    const server = servers.find(({ id }) => id === outcome?.server?.id);
    if (outcome === undefined || server === undefined) return [];
    const at = Date.parse((followUp?.ended ?? outcome).time);
    return [
      md`**${own(typedName(outcome.command))} of ${serverName(server)} ended unknown** ${moment(at)} (run ${run}): ${own(then)}`,
    ];
  });
}
