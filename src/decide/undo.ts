import type { Step } from '../command.ts';
import type { RawOptions } from '../outcome.ts';
import { applied, doneSince, isStored, isUndoable } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isRetryable, type RunState, undoStep } from '../runs/state.ts';
import { authorize, preparedOf, refusedPress } from './authorize.ts';
import type { Answer, Decision, Press, Snapshot } from './decision.ts';
import { nothingLeft } from './notes.ts';

/** The options of a command for these servers only. */
export const onlyServers = (options: RawOptions, servers: readonly number[]): RawOptions =>
  servers.length === 0 ? options : { ...options, server: servers.join(',') };

const serversOf = (states: readonly RunState[]): number[] => states.flatMap(({ outcome }) => outcome?.server?.id ?? []);

/** The runs that a button is about: those of a card, or the one that it names. */
function meantBy({ ledger }: Snapshot, { payload }: Press): { invocationId: string; states: readonly RunState[] } {
  const isRun = payload.includes('.');
  const invocationId = isRun ? invocationOf(payload) : payload;
  return { invocationId, states: ledger.runs(invocationId).filter(({ run }) => !isRun || run === payload) };
}

/** Ask again: about the servers that a command did not change and nobody has changed that way since. */
export function askAgain({ ledger }: Snapshot, { payload, offered }: Press): Decision {
  const left = ledger.runs(payload).filter((state) => isRetryable(state) && doneSince(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  if (entry === undefined || !offered) return nothingLeft();
  const since = Math.max(...left.map(({ outcome }) => outcome?.seq ?? 0));
  const options = onlyServers(entry.options, serversOf(left));
  return { kind: 'command', command: { command: entry.command, options, since } };
}

/** Applies what was only stored, with the command that applies it. */
export function apply(snapshot: Snapshot, press: Press): Decision {
  const { ledger } = snapshot;
  const { states } = meantBy(snapshot, press);
  const left = states.filter((state) => isStored(ledger, state) && applied(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  const of = entry && { command: entry.command, options: onlyServers(entry.options, serversOf(left)) };
  const step = preparedOf(snapshot, of)?.apply;
  if (step === undefined || !press.offered)
    return alreadyDone(snapshot, press, preparedOf(snapshot, states[0]?.outcome)?.apply);
  return { kind: 'command', command: step };
}

/** Undoes what a card did, as a command of its own. Servers whose undo differs need another press. */
export function undo(snapshot: Snapshot, press: Press): Decision {
  const { invocationId, states } = meantBy(snapshot, press);
  const step = undoStep(states.filter((state) => isUndoable(snapshot.ledger, state)));
  const withReason = ({ command, options }: Step): Step => ({
    command,
    options: { ...options, reason: `undo of run ${invocationId}` },
  });
  if (step !== undefined && press.offered)
    return { kind: 'command', command: { ...withReason(step), undoes: invocationId } };
  const was = states.find((state) => state.undo !== undefined)?.undo;
  return alreadyDone(snapshot, press, was && withReason(was));
}

/** Starts the command that is offered for stuck jobs, on their servers. */
export function startIfStuck({ ledger, commands }: Snapshot, { payload, offered }: Press): Decision {
  const running = ledger.runs(payload).filter(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const id = running[0]?.outcome?.command;
  const stuck = commands.find((command) => command.id === id)?.ifStuck;
  if (stuck === undefined || !offered) return nothingLeft();
  return { kind: 'command', command: { command: stuck.command, options: { server: serversOf(running).join(',') } } };
}

/** Somebody was faster, perhaps in the panel. `was`: what the button would have done. */
function alreadyDone(snapshot: Snapshot, { actor, place }: Press, was: Step | undefined): Answer {
  if (was === undefined) return nothingLeft();
  const authorization = authorize(snapshot, { actor, place, ...was });
  if (authorization.kind === 'refused') return refusedPress(authorization, was.options);
  return { ...nothingLeft(), isOutdated: true };
}
