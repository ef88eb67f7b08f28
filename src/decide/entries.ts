import type { Server } from '../outcome.ts';
import type { EntryServer, Kind } from '../runs/entry.ts';
import type { Ending, NewOutcome, Run, Work } from './work.ts';

/** A server as stored in the ledger and in card records. */
export const serverRef = ({ id, name, tier, called, heldTo }: Server): EntryServer => ({
  id,
  name,
  tier,
  called,
  heldTo,
});

/** The fields that all entries of a run share. */
export const entryOf = (
  { actor, command, options, place }: Pick<Work, 'actor' | 'command' | 'options' | 'place'>,
  { run, server }: Pick<Run, 'run' | 'server'>,
): Omit<Kind<'reminded'>, 'kind' | 'seq' | 'time' | 'prev' | 'hash'> => ({
  run,
  actor,
  command,
  options,
  server: serverRef(server),
  place,
});

export const outcomeEntry = (
  work: Parameters<typeof entryOf>[0],
  run: Parameters<typeof entryOf>[1],
  { detail, ...how }: Ending,
): NewOutcome => ({
  ...entryOf(work, run),
  kind: 'outcome',
  ...how,
  detail: detail?.markup,
});
