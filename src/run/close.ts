import { type Card, trusted } from '../card.ts';
import { knownOf } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import { reasons } from '../reasons.ts';
import { runIdOf } from '../runs/ids.ts';
import { isOpenQuestion, type RunState } from '../runs/state.ts';
import { type Ending, outcomeEntry } from './change.ts';
import { nameOf, note, typedName } from './notes.ts';
import type { CutShort, RunParts } from './parts.ts';
import { changesState, toolsOf } from './read.ts';

/**
 * Ends what nobody does any more of an invocation, in one append: an intent without an outcome is unknown, what was not begun was not
 * sent. An open question stays open. What a ledger that was lost had of it is unknown. Rejects with LedgerUnavailable: then it has to be done later.
 */
export async function closeInvocation(
  parts: RunParts,
  id: string,
  opened: Opened | undefined,
  why: CutShort,
): Promise<void> {
  const { ledger, outbox, rules } = parts;
  const known = knownOf({ records: ledger, unrecorded: outbox.of, find: rules.find }, id, opened);
  if (known === undefined) return;
  const { states, servers, actor, command, options } = known;
  if (why !== 'ledger-replaced' && states.length > 0 && states.every(isOpenQuestion)) return;
  if (servers.length === 0 && opened !== undefined)
    return parts.cards.answer(id, opened, await leftCard(parts, opened, why));
  const first = states[0]?.asked ?? states[0]?.intent ?? states[0]?.outcome;
  const place = first?.place ?? opened?.place;
  if (place === undefined) return;
  const entries = servers.flatMap((server, i) => {
    const state = states.find(({ asked, intent, outcome }) => (asked ?? intent ?? outcome)?.server?.id === server.id);
    if (state?.outcome !== undefined) return [];
    const run = state?.run ?? runIdOf(id, i + 1);
    return [outcomeEntry({ actor, command, options, place }, { run, server }, endingOf(state, why))];
  });
  if (entries.length === 0) return;
  await ledger.append(entries).catch((error: unknown) => {
    // Whoever was faster knew as much.
    if (!(error instanceof Refused)) throw error;
  });
}

function endingOf(state: RunState | undefined, why: CutShort): Ending {
  if (why === 'ledger-replaced') return { outcome: 'unknown', reason: why };
  return state?.intent === undefined
    ? { outcome: 'not-sent', reason: why }
    : { outcome: 'unknown', reason: 'bot-stopped' };
}

/** The card of what is no change and was cut short. What people decide beside runs is looked up, where it can be. */
async function leftCard(parts: RunParts, { command: id, place, actor }: Opened, why: CutShort): Promise<Card> {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || command.local === undefined || !changesState(command))
    return note(
      'not-sent',
      command === undefined ? typedName(id) : nameOf(command),
      trusted(reasons[why].why),
      trusted(reasons[why].next),
    );
  if (command.resume === undefined)
    return note(
      'unknown',
      typedName(command.id),
      trusted('The bot stopped while it was doing this. It may have been done, or not. Nothing was sent to the panel.'),
      trusted('/follow-ups list shows what is followed now.'),
    );
  const { message: card, ...where } = place;
  const tools = toolsOf(parts, { place: where, ...defined({ card }) });
  const { outcome = 'succeeded', body } = await command.resume(tools);
  return { state: outcome, command: nameOf(command), body: [...body, trusted(`By <@${actor.id}>.`)] };
}
