import type { TrailLag } from '../command.ts';
import type { Log } from '../outcome.ts';

/**
 * Logs once that the channel is behind, after `patience` ms of that, and once that it has caught up. A start that has
 * not read the channel yet is nothing to be told.
 */
export function createLagLog(log: Log, patience: number): (lag: TrailLag | undefined) => void {
  let since: number | undefined;
  let isLogged = false;
  return (lag) => {
    if (lag === undefined) {
      if (isLogged) log.info({}, 'the audit channel has caught up with the ledger');
      since = undefined;
      isLogged = false;
      return;
    }
    since ??= performance.now();
    if (isLogged || performance.now() - since < patience) return;
    isLogged = true;
    log.error({ reason: lag.reason, problem: lag.words }, 'the audit channel is behind the ledger');
  };
}
