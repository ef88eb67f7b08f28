import type { Command } from '../command.ts';
import type { Place, Ruling } from '../outcome.ts';
import type { Snapshot } from './decision.ts';
import { everyone } from './reach.ts';

export const changesState = ({ danger }: Pick<Command, 'danger'>): boolean =>
  danger === 'write' || danger === 'destructive';

/** Whether it changes something in the panel. */
export const changesPanel = (command: Pick<Command, 'danger' | 'local'>): boolean =>
  command.local === undefined && changesState(command);

/** Whether the answer is public: changes, and reads in an incident's thread where the policy has commands answered. */
export function isPublic(
  command: Command,
  place: Place,
  { ledger, rules }: { ledger: Pick<Snapshot['ledger'], 'incidents'>; rules: Pick<Snapshot['rules'], 'answersIn'> },
): boolean {
  if (command.menu !== undefined) return false;
  const here = ledger.incidents().some(({ id, ended }) => id === place.channel && ended === undefined);
  return changesState(command) || (command.danger === 'read' && here && rules.answersIn(place));
}

/** Answers from the ledger are never shared. People without a role share nothing, not even /help. */
export const isShareable = ({ danger }: Command, may: Ruling): boolean =>
  danger !== 'audit' && may.allowed && may.role !== everyone;
