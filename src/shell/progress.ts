import { closeInvocation } from './close.ts';
import { faultOf, logFault } from './fault.ts';
import type { RunParts } from './parts.ts';

/**
 * Marks the invocation as in progress while `work` runs, which protects it from recovery. Closes it if `work` throws. `asker`: whose
 * question comes of it.
 */
export async function withProgress(
  parts: RunParts,
  invocationId: string,
  work: () => Promise<void>,
  asker?: string,
): Promise<void> {
  parts.inProgress.set(invocationId, asker);
  try {
    await work();
  } catch (error) {
    const why = faultOf(error);
    logFault(parts.log, { run: invocationId }, 'a command failed', error);
    const opened = parts.cards.opened(invocationId);
    await closeInvocation(parts, invocationId, opened, why).catch((problem: unknown) => {
      // If the ledger cannot take that now, recovery does it later.
      if (opened !== undefined) parts.leftOver.set(invocationId, { opened, why });
      throw problem;
    });
  } finally {
    parts.inProgress.delete(invocationId);
  }
}
