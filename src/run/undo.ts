import { preparedOf, undoOf } from './offers.ts';
import type { Click, RunParts } from './parts.ts';
import { gone, only, runsNow, start } from './press.ts';
import { showAgain } from './retire.ts';
import { applied, takenBack } from './since.ts';

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
  const stored = (await runsNow(parts, stem)).filter(
    (state) =>
      state.outcome?.outcome === 'accepted' &&
      applied(ledger, state) === undefined &&
      takenBack(ledger, state) === undefined,
  );
  const entry = stored[0]?.outcome;
  const ids = stored.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  const of = entry === undefined ? undefined : { command: entry.command, options: only(entry.options, ids) };
  const step = preparedOf(parts, of)?.apply;
  if (step === undefined) return over(parts, clicked, stem);
  await start(parts, clicked, step.command, step.options);
}

/** The inverse of what a card did, the full way of that command. Servers for which it differs are another click. */
export async function undo(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  const step = undoOf(parts.ledger, await runsNow(parts, stem));
  if (step === undefined) return over(parts, clicked, stem);
  await start(parts, clicked, step.command, { ...step.options, reason: `undo of run ${stem}` });
}

/** Somebody was faster, perhaps by hand, or in another process: the card says so from now on. */
async function over(parts: RunParts, clicked: Click, stem: string): Promise<void> {
  await gone(clicked);
  await showAgain(parts, stem);
}
