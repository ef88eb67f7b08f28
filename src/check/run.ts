import { setTimeout as delay } from 'node:timers/promises';
import { count, md, trusted } from '../card.ts';
import { type Found, type Line, wrong } from './line.ts';
import type { Probes } from './probes.ts';

/** `Needs`: what it looks at. */
export interface Check<Needs extends keyof Probes = keyof Probes> {
  id: string;
  title: string;
  /** Returns a finding for each thing that is wrong, or one that says that all is well. */
  run(probes: Pick<Probes, Needs>): Promise<readonly Found[]>;
}

/** How long one check may take, in ms. */
const checkTimeout = 10_000;

/** Runs all checks in parallel. A check that fails or takes too long gets a line that says so. */
export async function runChecks<Needs extends keyof Probes>(
  checks: readonly Check<Needs>[],
  probes: Pick<Probes, Needs>,
  bound = checkTimeout,
): Promise<Line[]> {
  const lines = await Promise.all(
    checks.map(async (check) => {
      const ended = new AbortController();
      const late = delay(bound, [tooLate(bound)], { signal: ended.signal, ref: false }).catch(() => []);
      const found = await Promise.race([check.run(probes).catch((error: unknown) => [faultOf(error)]), late]);
      ended.abort();
      return found.map((each) => ({ check: check.id, title: check.title, ...each }));
    }),
  );
  return lines.flat();
}

const tooLate = (ms: number): Found =>
  wrong(trusted(`This took longer than ${count(Math.ceil(ms / 1000), 'second')}.`), trusted('Run the check again.'));

/** Only its name, or the code of a system call: the message of a library's error may hold anything. */
function faultOf(error: unknown): Found {
  if (error instanceof Error && 'syscall' in error && 'code' in error)
    return wrong(
      md`This could not be checked: ${String(error.syscall)} failed with ${String(error.code)}.`,
      trusted("Look at the machine's disk and network, then run the check again."),
    );
  return wrong(
    md`This could not be checked: ${error instanceof Error ? error.name : 'unknown fault'}.`,
    trusted('Run the check again. If it keeps failing, report it with the version.'),
  );
}
