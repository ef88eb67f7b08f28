import { isatty } from 'node:tty';
import { faults, reportFault, stopOnFault } from './fault.ts';

export type Ending = (() => Promise<unknown>)[];

/** On the first SIGTERM or SIGINT, runs what the returned list then holds, the last first, and exits. Later ones change nothing. */
export function endOnSignals(): Ending {
  const ending: Ending = [];
  let begun = false;
  const end = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    // Nothing is read again by a process that stops.
    process.removeAllListeners('SIGHUP').on('SIGHUP', () => undefined);
    // A connection that breaks late must not keep the rest from closing.
    for (const event of faults) process.off(event, stopOnFault).on(event, reportFault);
    for (const each of ending.toReversed()) await each().catch(reportFault);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  return ending;
}

/**
 * From now on, SIGHUP does what the answer is given, also one that came before that. A terminal that is closed sends it too:
 * then the process ends, as people expect of what they started there.
 */
export function onHangup(): (reload: () => void) => void {
  const hadTerminal = isatty(0);
  let isWaiting = false;
  let act = (): void => {
    isWaiting = true;
  };
  process.on('SIGHUP', () => {
    if (hadTerminal && !isatty(0)) process.kill(process.pid, 'SIGTERM');
    else act();
  });
  return (reload) => {
    act = reload;
    if (isWaiting) reload();
  };
}
