import { isatty } from 'node:tty';
import { faults, reportFault, stopOnFault } from './fault.ts';
import { endWithParent } from './parent.ts';

export type Ending = (() => Promise<unknown>)[];

/** SIGBREAK is Ctrl-Break, on Windows alone. */
const endings = ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const;

/** On the first of `endings`, runs the functions in the returned list, last one first, and exits. Ignores later ones. */
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
  for (const signal of endings) process.on(signal, end);
  endWithParent();
  return ending;
}

/**
 * Handles SIGHUP. The returned function sets the reload, and runs it if a SIGHUP came while there was none. A closed terminal sends
 * SIGHUP, too: then the process ends, as people expect. On Windows nothing else sends it.
 */
export function onHangup(): (reload: (() => void) | undefined) => void {
  const hadTerminal = isatty(0);
  let isWaiting = false;
  let act: (() => void) | undefined;
  process.on('SIGHUP', () => {
    // No kill, which on Windows ends a process at once.
    if ((hadTerminal && !isatty(0)) || process.platform === 'win32') process.emit('SIGTERM');
    else if (act === undefined) isWaiting = true;
    else act();
  });
  return (reload) => {
    act = reload;
    if (!isWaiting || reload === undefined) return;
    isWaiting = false;
    reload();
  };
}
