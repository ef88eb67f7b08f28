import { type Look as Preview, ReadFailed } from '../command.ts';
import { lookFailed, trailBlocker } from '../decide/blockers.ts';
import { requestTime } from '../decide/denial.ts';
import { questionEntries, type Wanted } from '../decide/questions.ts';
import { firstStop } from '../decide/stops.ts';
import { entryOf, type Work } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { end } from './change.ts';
import { unavailable } from './fault.ts';
import type { RunParts } from './parts.ts';
import { reader } from './read.ts';

type AskParts = Pick<
  RunParts,
  'trail' | 'ledger' | 'outbox' | 'panel' | 'processId' | 'log' | 'now' | 'open' | 'rules' | 'commands'
>;

/** Reads the current settings and records the question, or the outcome if that fails. */
export async function ask(parts: AskParts, work: Work, wanted: Wanted): Promise<void> {
  const refused = await record(parts, work, (settings) => questionEntries(parts, work, settings, wanted));
  const by = refused?.by;
  const isLate = by !== undefined && 'run' in by && invocationOf(by.run) === work.breakGlass?.over;
  // Else another delivery already asked: the card shows what the ledger has.
  if (isLate) await end(parts, work, work.runs, { outcome: 'not-sent', reason: 'went-on' });
}

/** Reads what is set now and records the request to others, or the outcome if that fails. */
export async function request(parts: AskParts, work: Work, denied: string): Promise<void> {
  const expires = new Date(parts.now() + requestTime).toISOString();
  await record(parts, work, (settings) =>
    work.runs.map((run, i) => ({
      ...{ ...entryOf(work, run), kind: 'requested' as const, expires, denied },
      facts: settings[i]?.facts && { ...settings[i].facts },
    })),
  );
}

/** Returns why the ledger refused it. */
async function record(
  parts: AskParts,
  work: Work,
  entriesOf: (settings: readonly Preview[]) => NewRunEntry[],
): Promise<Refused | undefined> {
  const { runs, prepared } = work;
  const blocker = trailBlocker(parts.trail, work) ?? firstStop(parts, work, runs);
  if (blocker !== undefined) return void (await end(parts, work, runs, blocker));
  const read = reader(parts.panel, { kind: 'look', id: work.actor.id });
  try {
    const settings = await Promise.all(runs.map(({ server }) => prepared.look?.(server, read) ?? { says: [] }));
    await parts.ledger.append(entriesOf(settings));
  } catch (error) {
    if (error instanceof Refused) return error;
    await end(parts, work, runs, error instanceof ReadFailed ? lookFailed(error) : unavailable(error));
  }
  return undefined;
}
