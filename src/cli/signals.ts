import { isatty } from 'node:tty';
import { faults, reportFault, stopOnFault } from './fault.ts';

type Ending = (() => Promise<unknown>)[];

/** SIGBREAK is Ctrl-Break, on Windows alone. */
const endings = ['SIGTERM', 'SIGINT', 'SIGBREAK'] as const;

/**
 * On the first of `endings`, aborts `stopping`, runs the functions in `ending`, last one first, and exits. Ignores later
 * ones.
 */
export function endOnSignals(): { ending: Ending; stopping: AbortSignal } {
  const ending: Ending = [];
  const stop = new AbortController();
  const end = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    stop.abort();
    // A stopping process does not reload.
    process.removeAllListeners('SIGHUP').on('SIGHUP', () => undefined);
    // A late connection error must not keep the rest from closing.
    for (const event of faults) process.off(event, stopOnFault).on(event, reportFault);
    // What starts meanwhile adds its own.
    for (let each = ending.pop(); each !== undefined; each = ending.pop()) await each().catch(reportFault);
    process.exit(0);
  };
  for (const signal of endings) process.on(signal, end);
  endWithParent();
  return { ending, stopping: stop.signal };
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

/** How soon the end of the parent is noticed, in ms. */
const lookEvery = 250;

/** Ends the process once its parent is gone, if npm started it: not every shell in between passes SIGTERM on. */
export function endWithParent(): void {
  const parent = process.ppid;
  // Windows does not say that a parent is gone.
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, lookEvery).unref();
}
