/** How soon the end of the parent is noticed, in ms. */
const lookEvery = 250;

/**
 * Ends the process, as SIGTERM does, once its parent is gone, if npm or another runner of scripts started it. These pass
 * SIGTERM only to the shell that they start a script with, and not every shell passes it on.
 */
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
