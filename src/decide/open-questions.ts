import { type Card, md, moment, trusted } from '../card.ts';
import type { Command } from '../command.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion } from '../runs/state.ts';
import type { Snapshot } from './decision.ts';
import { nameOf, note } from './notes.ts';

/** The card for a person who has reached the limit of open questions. */
export function tooManyQuestions(
  { ledger, asking, maxQuestions, now }: Snapshot,
  actor: string,
  command: Pick<Command, 'id' | 'menu'>,
): Card | undefined {
  const open = ledger
    .open()
    .filter((state) => isOpenQuestion(state) && expiryOf(state) > now())
    .flatMap(({ asked, requested }) => asked ?? requested ?? [])
    .filter((each) => each.actor.id === actor);
  const preparing = [...asking].flatMap(([id, who]) => (who === actor ? [id] : []));
  const ids = new Set([...open.map(({ run }) => invocationOf(run)), ...preparing]);
  if (ids.size < maxQuestions) return undefined;
  const [oldest] = open;
  return note(
    'not-sent',
    nameOf(command),
    trusted(`${ids.size} of your questions wait for Confirm, which is the most allowed. Nothing was sent.`),
    trusted('Confirm or cancel one first.'),
    ...(oldest === undefined ? [] : [md`The oldest runs out ${moment(Date.parse(oldest.expires))}.`]),
  );
}
