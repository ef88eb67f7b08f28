import { type Card, list, md, moment, serverName, subjectOf, trusted } from '../../card.ts';
import { takenBack } from '../../runs/history.ts';
import { mayBeDone } from '../../runs/state.ts';
import { typedName } from '../../view/words.ts';
import type { Drawing, Known } from './known.ts';
import { toUndo } from './offers.ts';

/** Below this age, in ms, the time of day is enough. */
const timeOfDayEnough = 20 * 3_600_000;

/** The message that pings the actor about open effects. `run` distinguishes it from the card. */
export function reminderCard(
  { invocationId, states: all, command, options }: Known,
  drawing: Drawing,
): Card | undefined {
  const states = all.filter(({ remind }) => remind !== undefined);
  const first = states[0]?.outcome;
  if (first === undefined) return undefined;
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  const left = states.filter((state) => mayBeDone(state) && takenBack(drawing.records, state) === undefined);
  const names = left.flatMap(({ outcome }) => (outcome?.server === undefined ? [] : [serverName(outcome.server)]));
  const { body, buttons } = toUndo(drawing, { invocationId, command, options }, states);
  const since = Date.parse(first.time);
  // As of the due time: waiting must not change it.
  const due = Math.max(...states.map(({ remind }) => Date.parse(remind ?? '')));
  const subject = subjectOf(servers) ?? trusted('');
  return {
    state: 'reminder',
    command: typedName(first.command),
    // A phone's notification shows nothing else.
    subject:
      left.length === 0
        ? subject
        : md`${subject}: not undone since ${moment(since, due - since < timeOfDayEnough ? 't' : 'f')}`,
    fact:
      names.length === 0
        ? trusted('Nothing is left to undo.')
        : md`Done on ${list(names)} ${moment(since)}, and not undone since.`,
    body: [...(names.length === 0 ? [] : [trusted('You asked for this reminder.')]), ...body],
    run: `${invocationId} · reminder`,
    buttons,
  };
}
