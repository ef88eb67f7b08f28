import type { Typed } from '../decide/decision.ts';
import { invokeObserved } from './observed.ts';
import type { Click, RunParts } from './parts.ts';

/** Starts a command as if the clicking person had typed it. */
export const startCommand = (
  parts: RunParts,
  { interaction, actor, place, button, mayReturn, reply }: Click,
  typed: Typed,
): Promise<void> => invokeObserved(parts, { ...typed, interaction, actor, place, button, mayReturn, reply });
