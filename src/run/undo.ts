import type { Step } from '../command.ts';
import { applied, doneSince, isStored, isUndoable } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isRetryable, type RunState } from '../runs/state.ts';
import { undoStep } from '../runs/undo.ts';
import { authorize, preparedOf } from './authorize.ts';
import type { Click, RunParts } from './parts.ts';
import { onlyServers, runsNow, sayGone, startCommand } from './press.ts';
import { refuse } from './refuse.ts';

const serversOf = (states: readonly RunState[]): number[] => states.flatMap(({ outcome }) => outcome?.server?.id ?? []);

/** Asks again about the servers that a command did not change and nobody has changed that way since. */
export async function askAgain(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const states = await runsNow(parts, invocationId);
  const left = states.filter((state) => isRetryable(state) && doneSince(parts.ledger, state) === undefined);
  const entry = left[0]?.outcome;
  if (entry === undefined || !clicked.offered) return sayGone(clicked);
  const since = Math.max(...left.map(({ outcome }) => outcome?.seq ?? 0));
  await startCommand(parts, clicked, entry.command, onlyServers(entry.options, serversOf(left)), { since });
}

/** The runs that a button is about: those of a card, or the one that it names. */
async function meantBy(parts: RunParts, payload: string): Promise<{ invocationId: string; states: RunState[] }> {
  const isRun = payload.includes('.');
  const invocationId = isRun ? invocationOf(payload) : payload;
  const states = await runsNow(parts, invocationId);
  return { invocationId, states: isRun ? states.filter(({ run }) => run === payload) : states };
}

/** Applies what was only stored, with the command that applies it. */
export async function applyNow(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { ledger } = parts;
  const { invocationId, states } = await meantBy(parts, payload);
  const left = states.filter((state) => isStored(ledger, state) && applied(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  const of =
    entry === undefined ? undefined : { command: entry.command, options: onlyServers(entry.options, serversOf(left)) };
  const step = preparedOf(parts, of)?.apply;
  if (step === undefined || !clicked.offered)
    return alreadyDone(parts, clicked, invocationId, preparedOf(parts, states[0]?.outcome)?.apply);
  await startCommand(parts, clicked, step.command, step.options);
}

/** Undoes what a card did, as a command of its own. Servers whose undo differs need another click. */
export async function undo(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { invocationId, states } = await meantBy(parts, payload);
  const step = undoStep(states.filter((state) => isUndoable(parts.ledger, state)));
  const reason = `undo of run ${invocationId}`;
  if (step !== undefined && clicked.offered)
    return startCommand(parts, clicked, step.command, { ...step.options, reason }, { undoes: invocationId });
  const was = states.find((state) => state.undo !== undefined)?.undo;
  await alreadyDone(parts, clicked, invocationId, was && { ...was, options: { ...was.options, reason } });
}

/** Starts the command that is offered for stuck jobs, on their servers. */
export async function startIfStuck(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const running = (await runsNow(parts, invocationId)).filter(
    ({ followUp }) => followUp !== undefined && followUp.ended === undefined,
  );
  const id = running[0]?.outcome?.command;
  const stuck = parts.commands.find((command) => command.id === id)?.ifStuck;
  if (stuck === undefined || !clicked.offered) return sayGone(clicked);
  await startCommand(parts, clicked, stuck.command, { server: serversOf(running).join(',') });
}

/**
 * Somebody was faster, perhaps in the panel or through another process. Redraws the card. `was`: what the button would
 * have done.
 */
async function alreadyDone(
  parts: RunParts,
  clicked: Click,
  invocationId: string,
  was: Step | undefined,
): Promise<void> {
  if (was === undefined) return sayGone(clicked);
  const { actor, place } = clicked;
  const authorization = authorize(parts, { actor, place, ...was });
  if (authorization.kind === 'refused')
    return void (await refuse(parts, { ...clicked, options: was.options }, authorization));
  await sayGone(clicked);
  parts.cards.mark(invocationId);
}
