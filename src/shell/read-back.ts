import { ReadFailed } from '../command.ts';
import type { entryOf, Work } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Server } from '../outcome.ts';
import type { RunParts } from './parts.ts';
import { reader } from './read.ts';

/**
 * Records what is set right after a yes, so that the ledger knows later which options gave it. Nothing depends on it: if
 * it fails, or if something else was changed there meanwhile, the ledger does not know. `of`: what the run's entries share.
 */
export async function readBack(
  parts: Pick<RunParts, 'ledger' | 'panel' | 'log'>,
  { prepared, actor }: Pick<Work, 'prepared' | 'actor'>,
  server: Server,
  of: ReturnType<typeof entryOf>,
): Promise<void> {
  if (prepared.readBack === undefined) return;
  try {
    const rules = await prepared.readBack(server, reader(parts.panel, { kind: 'look', id: actor.id }));
    await parts.ledger.append([{ ...of, kind: 'read-back', rules: { ...rules } }]);
  } catch (error) {
    if (!(error instanceof ReadFailed || error instanceof Refused || error instanceof LedgerUnavailable)) throw error;
    parts.log.debug({ run: of.run, problem: String(error) }, 'what a change has set is not known');
  }
}
