import type { Step } from '../command.ts';
import type { RawOptions } from '../outcome.ts';
import { applied, doneSince, isStored, isUndoable } from '../runs/history.ts';
import { isRetryable, type RunState } from '../runs/state.ts';
import { authorize, preparedOf } from './authorize.ts';
import type { Click, RunParts } from './parts.ts';
import { refuse } from './pipeline.ts';
import { gone, only, runsNow, start } from './press.ts';

const serversOf = (states: readonly RunState[]): number[] => states.flatMap(({ outcome }) => outcome?.server?.id ?? []);

/** The servers of a command that were not touched, and were not made up for, asked about again by whoever clicks. */
export async function askAgain(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const states = await runsNow(parts, invocationId);
  const left = states.filter((state) => isRetryable(state) && doneSince(parts.ledger, state) === undefined);
  const entry = left[0]?.outcome;
  if (entry === undefined || !clicked.offered) return gone(clicked);
  await start(parts, clicked, entry.command, only(entry.options, serversOf(left)));
}

/** What was stored and not applied, by the command that applies it. */
export async function applyNow(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const { ledger } = parts;
  const states = await runsNow(parts, invocationId);
  const left = states.filter((state) => isStored(ledger, state) && applied(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  const of =
    entry === undefined ? undefined : { command: entry.command, options: only(entry.options, serversOf(left)) };
  const step = preparedOf(parts, of)?.apply;
  if (step === undefined || !clicked.offered)
    return over(parts, clicked, invocationId, preparedOf(parts, states[0]?.outcome)?.apply);
  await start(parts, clicked, step.command, step.options);
}

/** The inverse of what a card did, the full way of that command. Servers for which it differs are another click. */
export async function undo(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const states = await runsNow(parts, invocationId);
  const step = undoOf(states.filter((state) => isUndoable(parts.ledger, state)));
  const reason = `undo of run ${invocationId}`;
  if (step !== undefined && clicked.offered)
    return start(parts, clicked, step.command, { ...step.options, reason }, invocationId);
  const was = states.find((state) => state.undo !== undefined)?.undo;
  await over(parts, clicked, invocationId, was && { ...was, options: { ...was.options, reason } });
}

/** What undoes the first of these runs, and with it all others for which it is the same but for the server. */
function undoOf(states: readonly RunState[]): Step | undefined {
  const undo = states[0]?.undo;
  if (undo === undefined) return undefined;
  const form = ({ command, options }: { command: string; options: RawOptions }): string =>
    JSON.stringify({ command, options: { ...options, server: '' } });
  const same = states.filter((state) => state.undo !== undefined && form(state.undo) === form(undo));
  return { command: undo.command, options: { ...undo.options, server: serversOf(same).join(',') } };
}

/** What a command offers for the jobs that take long, on the servers where they run. */
export async function cutShort(parts: RunParts, clicked: Click, invocationId: string): Promise<void> {
  const running = (await runsNow(parts, invocationId)).filter(
    ({ followUp }) => followUp !== undefined && followUp.ended === undefined,
  );
  const id = running[0]?.outcome?.command;
  const stuck = parts.commands.find((command) => command.id === id)?.ifStuck;
  if (stuck === undefined || !clicked.offered) return gone(clicked);
  await start(parts, clicked, stuck.command, { server: serversOf(running).join(',') });
}

/** Somebody was faster, perhaps by hand, or in another process: the card says so from now on. `was`: what the button did. */
async function over(parts: RunParts, clicked: Click, invocationId: string, was: Step | undefined): Promise<void> {
  if (was === undefined) return gone(clicked);
  const { actor, place } = clicked;
  const authorization = authorize(parts, { actor, place, ...was });
  if (authorization.kind === 'refused') return refuse(parts, { ...clicked, options: was.options }, authorization);
  await gone(clicked);
  parts.cards.mark(invocationId);
}
