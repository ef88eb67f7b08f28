import { isatty } from 'node:tty';
import { faults, reportFault, stopOnFault } from './fault.ts';

export type Ending = (() => Promise<unknown>)[];

/** On the first SIGTERM or SIGINT, runs the functions in the returned list, last one first, and exits. Ignores later ones. */
export function endOnSignals(): Ending {
  const ending: Ending = [];
  let begun = false;
  const end = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    // A stopping process does not reload.
    process.removeAllListeners('SIGHUP').on('SIGHUP', () => undefined);
    // A late connection error must not keep the rest from closing.
    for (const event of faults) process.off(event, stopOnFault).on(event, reportFault);
    for (const each of ending.toReversed()) await each().catch(reportFault);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  return ending;
}

/**
 * Handles SIGHUP. The returned function sets the reload, and runs it if a SIGHUP already arrived. A closed terminal sends
 * SIGHUP, too: then the process ends, as people expect.
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
