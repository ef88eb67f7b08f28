import { uptime } from 'node:os';

/** Clocks, in ms. */
export type Clocks = () => readonly number[];

/** Some stand while a machine sleeps, and some may be set back. */
const machine: Clocks = () => [performance.now(), uptime() * 1_000, Date.now()];

/** How long ago something was, in ms: by whichever clock says most. */
export function stopwatch(clocks = machine): () => number {
  const begun = clocks();
  return () => Math.max(...clocks().map((now, at) => now - (begun[at] ?? now)));
}
