import { isBad, type Line, textOf } from '../check/line.ts';
import { type Check, runChecks } from '../check/run.ts';
import type { Ask } from './ask.ts';

/** Runs checks of `panelops check` on what setup has found, and says what is not as it should be. Returns those lines. */
export async function judge<Seen>(ask: Ask, checks: readonly Check<Seen>[], probes: Seen): Promise<readonly Line[]> {
  const lines = await runChecks(checks, probes);
  const bad = lines.filter(isBad);
  for (const line of bad) ask.bad(textOf(line));
  return bad;
}
