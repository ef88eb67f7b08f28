import { checks } from '../check/list.ts';
import { outsideProbes } from '../check/outside.ts';
import { exitCodeOf, report, runChecks } from '../check/run.ts';
import { lookAtConfiguration } from './configure.ts';
import type { Host } from './host.ts';

/** `panelops check`. Returns the exit code: 1 if anything is wrong. */
export async function checkAll(host: Host): Promise<number> {
  const { probes, close } = outsideProbes(lookAtConfiguration(host));
  const lines = await runChecks(checks, probes);
  host.stdout.write(report(lines));
  // Do not wait for open requests.
  void close();
  return exitCodeOf(lines);
}
