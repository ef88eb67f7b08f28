import type { Step } from '../command.ts';
import { admit } from './admit.ts';
import { refuse } from './corridor.ts';
import { preparedOf, stored, undoOf } from './offers.ts';
import type { Click, RunParts } from './parts.ts';
import { gone, only, runsNow, start } from './press.ts';
import { showAgain } from './retire.ts';
import { applied } from './since.ts';

/** The servers of a command that were not touched, asked about anew by whoever clicks. */
export async function askAgain(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const left = (await runsNow(parts, stem)).filter(({ outcome }) =>
    ['not-sent', 'blocked', 'expired'].includes(outcome?.outcome ?? ''),
  );
  const [first] = left;
  if (first?.outcome === undefined) return gone(clicked);
  const { command, options } = first.outcome;
  const ids = left.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  await start(parts, clicked, command, only(options, ids));
}

/** What was stored and not applied, by the command that applies it. */
export async function applyNow(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const { ledger } = parts;
  const states = await runsNow(parts, stem);
  const left = stored(ledger, states).filter((state) => applied(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  const ids = left.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  const of = entry === undefined ? undefined : { command: entry.command, options: only(entry.options, ids) };
  const step = preparedOf(parts, of)?.apply;
  if (step === undefined) return over(parts, clicked, stem, preparedOf(parts, states[0]?.outcome)?.apply);
  await start(parts, clicked, step.command, step.options);
}

/** The inverse of what a card did, the full way of that command. Servers for which it differs are another click. */
export async function undo(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const states = await runsNow(parts, stem);
  const step = undoOf(parts.ledger, states);
  const reason = `undo of run ${stem}`;
  if (step !== undefined) return start(parts, clicked, step.command, { ...step.options, reason }, stem);
  const was = states.find((state) => state.undo !== undefined)?.undo;
  await over(parts, clicked, stem, was && { ...was, options: { ...was.options, reason } });
}

/** Somebody was faster, perhaps by hand, or in another process: the card says so from now on. `was`: what the button did. */
async function over(parts: RunParts, clicked: Click, stem: string, was: Step | undefined): Promise<void> {
  if (was === undefined) return gone(clicked);
  const { actor, place } = clicked;
  const admission = admit(parts, { actor, place, ...was });
  if (admission.kind === 'out') return refuse(parts, { ...clicked, options: was.options }, admission);
  await gone(clicked);
  await showAgain(parts, stem);
}
