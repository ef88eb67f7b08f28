import { md, moment, trusted } from '../card.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { awaitsReview, isSettled, type RunState } from '../runs/state.ts';
import { type Answer, answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { entryOf } from './entries.ts';
import {
  deniedPress,
  isCardOf,
  note,
  notHere,
  nothingLeft,
  notSent,
  notTheirOwn,
  titleOf,
  typedName,
  wordsIn,
} from './notes.ts';

const nothing = 'The review stays open.';

/** Close the review: somebody else says what they found of what was done with break-glass. */
export function review(snapshot: Snapshot, press: Press): Decision {
  const all = snapshot.ledger.runs(invocationOf(press.payload));
  const states = all.filter(awaitsReview);
  const asked = states[0]?.asked;
  const before = all.find(({ reviewed }) => reviewed !== undefined)?.reviewed;
  if (asked === undefined) return before === undefined ? nothingLeft() : closed(before);
  const refused = refusal(snapshot, press, asked, states);
  if (refused !== undefined) return refused;
  if (!isCardOf(snapshot, press, asked)) return nothingLeft();
  if (!states.every(isSettled)) return tooSoon();
  const servers = states.flatMap((state) => state.asked?.server ?? []);
  const title = titleOf(typedName(asked.command), servers);
  const why = wordsIn(press, { title, label: 'What did you find?' }, `Say what you found. ${nothing}`);
  if (typeof why !== 'string') return why;
  const { actor } = press;
  return {
    kind: 'append',
    entries: states.map((state) => ({
      ...entryOf(asked, { run: state.run, server: state.asked?.server ?? { id: 0 } }),
      ...{ kind: 'reviewed' as const, actor, why },
    })),
    // The card shows it; whoever pressed it elsewhere sees nothing of that.
    says: press.isPrivate ? closedNow : undefined,
  };
}

const closedNow = note(
  'succeeded',
  'Close the review',
  trusted('The review is closed.'),
  trusted('/handover no longer lists it.'),
);

const tooSoon = (): Answer =>
  answer(
    note(
      'not-sent',
      'your click',
      trusted(`How this ended is not known yet. ${nothing}`),
      trusted('Wait for its end. If it is unknown, somebody must first say on its card what happened.'),
    ),
    { isOutdated: true },
  );

const closed = ({ actor, time }: Kind<'reviewed'>): Answer =>
  notSent(
    'your click',
    md`<@${trusted(actor.id)}> closed this review ${moment(Date.parse(time))}. Your click changed nothing.`,
  );

/** Whoever may approve there closes it, and never the person whom it is about. */
function refusal(
  { commands, rules }: Snapshot,
  { actor, place }: Press,
  asked: Kind<'asked'>,
  states: readonly RunState[],
): Answer | undefined {
  const { options } = asked;
  const command = commands.find(({ id }) => id === asked.command);
  if (command === undefined || !rules.answersIn(place)) return notHere(asked.command, nothing);
  if (asked.actor.id === actor.id) {
    const words = trusted('You used break-glass here, so somebody else closes the review.');
    const card = note('denied', typedName(asked.command), words, trusted(nothing));
    return answer(card, { options, denial: { command, decision: notTheirOwn } });
  }
  const servers = states.flatMap((state) => state.asked?.server ?? []);
  const decision = servers.map((server) => rules.mayApprove(actor.roles, server)).find(({ allowed }) => !allowed);
  if (decision === undefined || decision.allowed) return undefined;
  return deniedPress(command, decision, options, nothing);
}
