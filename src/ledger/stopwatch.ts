import { uptime } from 'node:os';

/** How long ago something was, in ms: by whichever clock says most, as some stand while a machine sleeps or is set back. */
export function stopwatch(): () => number {
  const clocks = (): number[] => [performance.now(), uptime() * 1_000, Date.now()];
  const begun = clocks();
  return () => Math.max(...clocks().map((now, at) => now - (begun[at] ?? now)));
}
