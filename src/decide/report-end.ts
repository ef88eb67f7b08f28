import { trusted } from '../card.ts';
import { ends } from '../outcome.ts';
import { followUpEntry } from '../runs/follow-up.ts';
import { mayStillRun } from '../runs/state.ts';
import { authorize, refusedPress } from './authorize.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { mayEndEmergency } from './denial.ts';
import { nothingLeft, notSent, typedName } from './notes.ts';

/** Finished, Failed, Stop following: a person who may run the command says how its job ended. */
export function reportEnd(snapshot: Snapshot, press: Press): Decision {
  const { actor, place } = press;
  const [run = '', word = ''] = press.payload.split(':');
  const end = ends.find((each) => each === word);
  const state = snapshot.ledger.run(run);
  const started = state?.followUp?.started;
  if (end === undefined || state?.followUp === undefined || started === undefined) return nothingLeft();
  const { command: id, options } = started;
  const command = snapshot.commands.find((each) => each.id === id);
  const isEmergency = command !== undefined && mayEndEmergency(snapshot, actor.roles, command, run);
  const asked = { actor, place, command: id, options, breakGlass: isEmergency ? run : undefined };
  const authorization = authorize(snapshot, asked);
  if (authorization.kind === 'refused') return refusedPress(authorization, options);
  const { ended } = state.followUp;
  // Only cards of jobs that the bot cannot read, or no longer follows, have this button.
  if (!press.offered && (ended === undefined || mayStillRun(state))) return nothingLeft();
  const mayEnd = ended === undefined || (mayStillRun(state) && (end === 'finished' || end === 'failed'));
  if (!mayEnd) {
    const words = trusted('It has already ended: see the card. Your click changed nothing.');
    return notSent(typedName(id), words);
  }
  const entry = followUpEntry(state.followUp, actor, state.followUp.card);
  return { kind: 'append', entries: [{ ...entry, step: 'ended', end }] };
}
