import { type Card, md, moment, trusted, typedText } from '../card.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { awaitsReview, type RunState } from '../runs/state.ts';
import { entryOf } from './change.ts';
import { maxReasonLength, titleOf } from './form.ts';
import { deniedCard, note, notTheirOwn, typedName, unansweredNote } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { runsNow, sayGone, takeClick } from './press.ts';
import { refuse } from './refuse.ts';
import { isCardOf } from './resolve.ts';

const nothing = 'The review stays open.';

/** Somebody else says what they found of what was done with break-glass. The form comes first. */
export async function review(parts: RunParts, clicked: Click, run: string): Promise<void> {
  const id = invocationOf(run);
  const { actor, reply, typed, interaction, place } = clicked;
  const all = await runsNow(parts, id);
  const states = all.filter(awaitsReview);
  const asked = states[0]?.asked;
  const before = all.find(({ reviewed }) => reviewed !== undefined)?.reviewed;
  if (asked === undefined) return before === undefined ? sayGone(clicked) : void (await reply.refuse(closed(before)));
  const refused = refusal(parts, clicked, asked, states);
  if (refused !== undefined) return void (await refuse(parts, { ...clicked, options: asked.options }, refused));
  if (!isCardOf(parts, clicked, asked)) return sayGone(clicked);
  if (typed === undefined) {
    const title = titleOf(
      typedName(asked.command),
      states.flatMap((state) => state.asked?.server ?? []),
    );
    return reply.ask({ id: clicked.button, title, label: 'What did you find?', longest: maxReasonLength });
  }
  if ((await takeClick(parts, clicked)) === undefined) return;
  const why = typedText(typed, maxReasonLength);
  if (why === '')
    return void (await reply.whisper(note('invalid', 'your click', trusted(`Say what you found. ${nothing}`))));
  if (!clicked.isPrivate) parts.cards.touched(id, { ...interaction, at: parts.now(), message: place.message });
  const failure = await record(
    parts,
    states.map((state) => ({
      ...entryOf(asked, { run: state.run, server: state.asked?.server ?? { id: 0 } }),
      ...{ kind: 'reviewed' as const, actor, why },
    })),
  );
  // The card shows it; whoever pressed it elsewhere sees nothing of that.
  const shown = failure ?? (clicked.isPrivate ? closedNow : undefined);
  if (shown !== undefined) await reply.whisper(shown);
}

/** Returns a card if it was not recorded, or may not have been. */
async function record(
  { ledger }: RunParts,
  entries: Parameters<RunParts['ledger']['append']>[0],
): Promise<Card | undefined> {
  try {
    await ledger.append(entries);
    return undefined;
  } catch (error) {
    // It may still have been recorded: then the card shows it.
    if (error instanceof LedgerUnavailable) return unansweredNote('your click');
    if (!(error instanceof Refused) || error.by?.kind !== 'reviewed') throw error;
    return closed(error.by);
  }
}

const closedNow = note(
  'succeeded',
  'Close the review',
  trusted('The review is closed.'),
  trusted('/handover lists it no longer.'),
);

const closed = ({ actor, time }: Kind<'reviewed'>): Card =>
  note(
    'not-sent',
    'your click',
    md`<@${trusted(actor.id)}> closed this review ${moment(Date.parse(time))}. Your click changed nothing.`,
  );

/** Whoever may approve there closes it, and never the person whom it is about. */
function refusal(parts: RunParts, { actor, place }: Click, asked: Kind<'asked'>, states: readonly RunState[]) {
  const command = parts.commands.find(({ id }) => id === asked.command);
  if (command === undefined || !parts.rules.answersIn(place))
    return {
      kind: 'refused' as const,
      card: note('not-sent', typedName(asked.command), trusted(`This button is not answered here. ${nothing}`)),
    };
  if (asked.actor.id === actor.id) {
    const words = trusted('You used break-glass here, so somebody else closes the review.');
    return {
      kind: 'refused' as const,
      card: note('denied', typedName(asked.command), words, trusted(nothing)),
      denial: { command, decision: notTheirOwn },
    };
  }
  const servers = states.flatMap((state) => state.asked?.server ?? []);
  const decision = servers.map((server) => parts.rules.mayApprove(actor.roles, server)).find(({ allowed }) => !allowed);
  if (decision === undefined || decision.allowed) return undefined;
  return { kind: 'refused' as const, card: deniedCard(command, decision, nothing), denial: { command, decision } };
}
