import { invocationIdOf } from '../runs/ids.ts';
import { isOpenQuestion } from '../runs/state.ts';
import type { Invocation, RunParts } from './parts.ts';
import { invoke } from './pipeline.ts';

/** Goes the way of one command, and reports how it ended. Never rejects. */
export async function invokeObserved(parts: RunParts, invocation: Invocation): Promise<void> {
  const { observe } = parts;
  const { interaction, command } = invocation;
  const invocationId = invocationIdOf(interaction.id);
  const begun = performance.now();
  const told = await observe.within(invocationId, () => invoke(parts, invocation));
  if (told === undefined) return;
  // What is recorded is reported where it is, denials among it.
  if (told !== 'recorded' && told !== 'denied') observe.ended(command, told);
  const outcome = told === 'recorded' ? recordedOf(parts, invocationId) : told;
  observe.finished({ invocationId, command, outcome, by: 'typed' }, performance.now() - begun);
}

/** The outcomes of all runs of an invocation, each once. */
export function recordedOf({ ledger, outbox }: Pick<RunParts, 'ledger' | 'outbox'>, invocationId: string): string {
  const states = ledger.runs(invocationId);
  if (states.some(isOpenQuestion)) return 'question';
  const waiting = outbox.of(invocationId).filter((entry) => entry.kind === 'outcome');
  const outcomes = [...states.flatMap(({ outcome }) => outcome ?? []), ...waiting].map(({ outcome }) => outcome);
  return [...new Set(outcomes)].sort().join(' ') || 'unavailable';
}
