import { type Card, list, md, moment, serverName, subjectOf, trusted } from '../../card.ts';
import { takenBack } from '../../runs/history.ts';
import { mayBeDone } from '../../runs/state.ts';
import type { Drawing, Known } from './known.ts';
import { toUndo } from './offers.ts';
import { typedName } from './parts.ts';

/** A time of day is enough to name a moment that is not so long ago, in ms. */
const aDay = 20 * 3_600_000;

/** The message that pings the actor about what is still open. `run` tells it from the card. */
export function reminderCard(
  { invocationId, states: all, command, options }: Known,
  { records, prepare }: Drawing,
): Card | undefined {
  const states = all.filter(({ remind }) => remind !== undefined);
  const first = states[0]?.outcome;
  if (first === undefined) return undefined;
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  const left = states.filter((state) => mayBeDone(state) && takenBack(records, state) === undefined);
  const names = left.flatMap(({ outcome }) => (outcome?.server === undefined ? [] : [serverName(outcome.server)]));
  const { body, buttons } = toUndo(records, invocationId, states, prepare({ command, options }));
  const since = Date.parse(first.time);
  // As it was when it was due: it must not change by waiting.
  const due = Math.max(...states.map(({ remind }) => Date.parse(remind ?? '')));
  const subject = subjectOf(servers) ?? trusted('');
  return {
    state: 'reminder',
    command: typedName(first.command),
    // It is all that a phone's notification shows.
    subject:
      left.length === 0 ? subject : md`${subject}: not undone since ${moment(since, due - since < aDay ? 't' : 'f')}`,
    body: [
      ...(names.length === 0
        ? []
        : [md`You wanted to be reminded: ${list(names)}, done ${moment(since)}, not undone since.`]),
      ...body,
    ],
    run: `${invocationId} · reminder`,
    buttons,
  };
}
