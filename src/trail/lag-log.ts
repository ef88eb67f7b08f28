import type { TrailLag } from '../command.ts';
import type { Log } from '../outcome.ts';

/**
 * Logs once when the channel has been behind for `patience` ms, and once when it has caught up. The delay keeps a
 * starting process, which has not read the channel yet, out of the log.
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
