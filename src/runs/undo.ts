import type { RawOptions } from '../outcome.ts';
import type { Undo } from './entry.ts';
import type { RunState } from './state.ts';

/** The undo of the first of these runs, for all runs with the same undo except for the server. */
export function undoStep(states: readonly RunState[]): Undo | undefined {
  const undo = states[0]?.undo;
  if (undo === undefined) return undefined;
  const same = states.filter((state) => state.undo !== undefined && form(state.undo) === form(undo));
  const servers = same.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  return { command: undo.command, options: { ...undo.options, server: servers.join(',') } };
}

/** Entries that were read from the ledger's file and those of this process have their options in different orders. */
const form = ({ command, options }: { command: string; options: RawOptions }): string =>
  JSON.stringify([command, ...Object.entries({ ...options, server: '' }).sort(([a], [b]) => (a < b ? -1 : 1))]);
