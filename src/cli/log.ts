import pino from 'pino';

/** How much of the log waits at most while it cannot be written, in characters. */
const maxLength = 1024 ** 2;

/**
 * Opens the log on standard error. What cannot be written, as on a full disk, waits for the next line; beyond
 * `maxLength` it is lost.
 */
export function openLog(level: string): pino.Logger {
  const destination = pino.destination({ dest: 2, sync: true, maxLength });
  destination.on('error', () => undefined);
  return pino({ level }, destination);
}

/** A terminal that is closed, or a reader that is gone, is no reason to stop. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
