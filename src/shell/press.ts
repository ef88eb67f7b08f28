import type { Typed } from '../decide/decision.ts';
import { invokeObserved } from './observed.ts';
import type { Click, RunParts } from './parts.ts';

/** Starts a command as if the clicking person had typed it. */
export const startCommand = (
  parts: RunParts,
  { interaction, actor, place, button, mayReturn, reply }: Click,
  typed: Typed,
): Promise<void> => invokeObserved(parts, { ...typed, interaction, actor, place, button, mayReturn, reply });

/**
 * Acknowledges a click and claims it. `answered`: `taken` if it was already answered, perhaps here. Undefined: another
 * process has it, or the person got another message.
 */
export async function takeClick(
  { claim }: Pick<RunParts, 'claim'>,
  { interaction, reply }: Click,
): Promise<{ answered: 'ours' | 'taken'; claimed: 'ours' | 'unknown' } | undefined> {
  const answered = await reply.defer();
  if (answered.kind === 'gone') return undefined;
  const claimed = await claim(interaction.id);
  if (claimed === 'theirs' || (await answered.message()) === undefined) return undefined;
  return { answered: answered.kind, claimed };
}
