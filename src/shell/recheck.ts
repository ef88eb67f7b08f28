import { ReadFailed } from '../command.ts';
import { changedSince, lookFailed } from '../decide/blockers.ts';
import type { Ending, Run, Work } from '../decide/work.ts';
import type { Kept } from '../runs/kept.ts';
import type { Parts } from './parts.ts';
import { reader } from './read.ts';

/** Reads the settings again and compares them with the question's: why nothing is sent, or what will be removed. */
export async function recheck(
  { panel }: Pick<Parts, 'panel'>,
  { prepared }: Work,
  { server, facts }: Run,
): Promise<{ blocker?: Ending; kept?: Kept }> {
  if (facts === undefined || prepared.look === undefined) return {};
  try {
    const now = await prepared.look(server, reader(panel, { kind: 'confirmed' }));
    return { blocker: changedSince(facts, now.facts), kept: now.kept };
  } catch (error) {
    if (error instanceof ReadFailed) return { blocker: lookFailed(error) };
    throw error;
  }
}
