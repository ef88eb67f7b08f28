import { type Effects, effectsOf } from './effects.ts';
import { type Entry, isOfRun } from './entry.ts';
import { isRestoreJob } from './follow-up.ts';
import { invocationOf, threadOf } from './ids.ts';
import { type RunState, touches } from './state.ts';

/** What an entry adds to the index: who has it need not read the entry. */
export interface Row {
  /** The bytes of its line with the line feed. */
  size: number;
  /** The first 52 bits of its hash. */
  mark: number;
  /** In ms; NaN where it cannot be read. */
  time: number;
  /** The thread of its invocation; 0: it is of no run. */
  thread: number;
  /** The server that it names; 0: none. */
  server: number;
  /** See `flags`. */
  flags: number;
  effects?: Effects;
}

/** An outcome; one that makes older decisions about the server stale; the start of a restore with a job. */
export const flags = { outcome: 1, touches: 2, restore: 4 } as const;

export const markOf = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

/** `state`: of its run, with it. */
export function rowOf(entry: Entry, size: number, state?: RunState): Row {
  const row = { size, mark: markOf(entry.hash), time: Date.parse(entry.time), thread: 0, server: 0, flags: 0 };
  if (!isOfRun(entry) || state === undefined) return row;
  const isTouching = touches(entry, state);
  return {
    ...row,
    thread: threadOf(invocationOf(entry.run)),
    server: entry.server?.id ?? 0,
    flags:
      (entry.kind === 'outcome' ? flags.outcome : 0) |
      (isTouching ? flags.touches : 0) |
      (isRestoreJob(entry) ? flags.restore : 0),
    effects: isTouching || entry.kind === 'outcome' ? effectsOf(state) : undefined,
  };
}
