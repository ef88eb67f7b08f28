import { type Line, textOf } from '../check/line.ts';
import type { Probes } from '../check/probes.ts';
import { type Check, runChecks } from '../check/run.ts';
import type { Ask } from './ask.ts';

/** Runs checks of `panelops check` on what setup has found, and says what is not as it should be. Returns those lines. */
export async function judge<Needs extends keyof Probes>(
  ask: Ask,
  checks: readonly Check<Needs>[],
  probes: Pick<Probes, Needs>,
): Promise<readonly Line[]> {
  const lines = await runChecks(checks, probes);
  const bad = lines.filter(({ state }) => state === 'wrong' || state === 'warning');
  for (const line of bad) ask.bad(textOf(line));
  return bad;
}
