import { type Card, trusted } from '../card.ts';
import { knownOf } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import { changesState } from '../decide/audience.ts';
import { withLine } from '../decide/invalid.ts';
import { nameOf, note, typedName } from '../decide/notes.ts';
import { type Ending, outcomeEntry } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { runIdOf } from '../runs/ids.ts';
import { isOpenQuestion, orderOf, type RunState } from '../runs/state.ts';
import { brokenOff, type Interruption, outcomeOfFault } from './fault.ts';
import type { RunParts } from './parts.ts';
import { toolsOf, withFact } from './read.ts';

/**
 * Ends the abandoned runs of an invocation, in one append. A run with an intent but no outcome becomes `unknown`; a run
 * without an intent becomes `not-sent`. An open question stays open. If the ledger was lost, everything becomes
 * `unknown`. Rejects with LedgerUnavailable: try again later.
 */
export async function closeInvocation(
  parts: RunParts,
  id: string,
  opened: Opened | undefined,
  why: Interruption,
): Promise<void> {
  const { ledger, outbox, rules } = parts;
  const known = knownOf({ records: ledger, unrecorded: outbox.of, find: rules.find }, id, opened);
  if (known === undefined) return;
  const { states, servers, actor, command, options } = known;
  if (why !== 'ledger-replaced' && states.length > 0 && states.every(isOpenQuestion)) return;
  if (servers.length === 0 && opened !== undefined)
    return parts.cards.answer(id, opened, await interruptedCard(parts, opened, why));
  const first = states[0] && orderOf(states[0]);
  const place = first?.place ?? opened?.place;
  if (place === undefined) return;
  const entries = servers.flatMap((server, i) => {
    const state = states.find((each) => orderOf(each)?.server?.id === server.id);
    if (state?.outcome !== undefined) return [];
    const run = state?.run ?? runIdOf(id, i + 1);
    return [outcomeEntry({ actor, command, options, place }, { run, server }, endingOf(state, why))];
  });
  if (entries.length === 0) return;
  await ledger.append(entries).catch((error: unknown) => {
    // It ended meanwhile.
    if (!(error instanceof Refused)) throw error;
  });
}

function endingOf(state: RunState | undefined, why: Interruption): Ending {
  if (why === 'ledger-replaced') return { outcome: 'unknown', reason: why };
  return state?.intent === undefined
    ? { outcome: outcomeOfFault(why), reason: why }
    : { outcome: 'unknown', reason: 'bot-stopped' };
}

/** The card of an interrupted command without runs. Looks up what it recorded, if it can. */
async function interruptedCard(
  parts: RunParts,
  { command: id, options, place, actor }: Opened,
  why: Interruption,
): Promise<Card> {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || command.local === undefined || !changesState(command))
    return brokenOff(command === undefined ? typedName(id) : nameOf(command), why, command);
  if (command.resume === undefined)
    return note(
      'unknown',
      typedName(command.id),
      trusted(
        'The bot stopped while it was doing this. It may or may not have been done. Nothing was sent to the panel.',
      ),
      trusted('/follow-ups list shows what is followed now.'),
    );
  const { message: card, ...where } = place;
  const tools = toolsOf(parts, { place: where, card });
  const view = withLine(await command.resume(tools), command, options);
  const { outcome = 'succeeded' } = view;
  const small = [trusted(`By <@${actor.id}>`)];
  return { state: outcome, command: nameOf(command), ...withFact(view), small };
}
