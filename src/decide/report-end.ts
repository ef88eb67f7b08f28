import { trusted } from '../card.ts';
import { ends } from '../outcome.ts';
import { followUpEntry } from '../runs/follow-up.ts';
import { mayStillRun } from '../runs/state.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { nothingLeft, notSent, typedName } from './notes.ts';
import { refusal } from './resolve.ts';

/** Finished, Failed, Stop following: a person who may run the command says how its job ended. */
export function reportEnd(snapshot: Snapshot, press: Press): Decision {
  const [run = '', word = ''] = press.payload.split(':');
  const end = ends.find((each) => each === word);
  const state = snapshot.ledger.run(run);
  const started = state?.followUp?.started;
  if (end === undefined || state?.followUp === undefined || started === undefined) return nothingLeft();
  // What the policy wants of who runs it is not wanted of who says how it ended.
  const refused = refusal(snapshot, press, started);
  if (refused !== undefined) return refused;
  const { ended } = state.followUp;
  // Only cards of jobs that the bot cannot read, or no longer follows, have this button.
  if (!press.offered && (ended === undefined || mayStillRun(state))) return nothingLeft();
  const mayEnd = ended === undefined || (mayStillRun(state) && (end === 'finished' || end === 'failed'));
  if (!mayEnd) {
    const words = trusted('It has already ended: see the card. Your click changed nothing.');
    return notSent(typedName(started.command), words);
  }
  const entry = followUpEntry(state.followUp, press.actor, state.followUp.card);
  return { kind: 'append', entries: [{ ...entry, step: 'ended', end }] };
}
