import { ReadFailed } from '../command.ts';
import { isOpenQuestion } from '../runs/state.ts';
import { firstStop, freezesToTell, lookFailed, trailBlocker } from './blockers.ts';
import type { Decision, Found, Snapshot } from './decision.ts';
import { requestTime } from './denial.ts';
import { questionEntries, type Wanted, warnings } from './questions.ts';
import { type Ending, entryOf, outcomeEntry, type Work } from './work.ts';

/** What comes of a change whose card is there: the question, the request to others after that denial, or the change. */
export function begin(snapshot: Snapshot, asked: Work, { settings }: Found, denied?: string): Decision {
  const { ledger, trail, now } = snapshot;
  const { prepared, runs, breakGlass, inTurn, invocationId } = asked;
  // Another delivery of it was faster: the card shows what the ledger has.
  if (ledger.runs(invocationId).length > 0) return { kind: 'append', entries: [] };
  const end = (how: Ending): Decision => ({
    kind: 'append',
    entries: runs.map((run) => outcomeEntry(asked, run, how)),
  });
  if (!ledger.runs(breakGlass?.over ?? inTurn?.over ?? '').every(isOpenQuestion))
    return end({ outcome: 'not-sent', reason: 'went-on' });
  const wanted = wantedOf(snapshot, asked);
  const work = { ...asked, overriddenFreezes: wanted?.overriddenFreezes };
  const isBegun = denied === undefined && wanted === undefined;
  const blocker = isBegun ? undefined : (trailBlocker(trail, work) ?? firstStop(snapshot, work, runs));
  if (blocker !== undefined) return end(blocker);
  if (settings === undefined) {
    const servers = (isBegun ? runs.slice(0, 1) : runs).map(({ server }) => server);
    return { kind: 'lookup', lookup: { kind: 'settings', prepared, servers } };
  }
  if (settings instanceof ReadFailed) return end(lookFailed(settings));
  if (denied !== undefined) {
    const expires = new Date(now() + requestTime).toISOString();
    const entries = runs.map((run, i) => ({
      ...{ ...entryOf(work, run), kind: 'requested' as const, expires, denied },
      facts: settings[i]?.facts && { ...settings[i].facts },
    }));
    return { kind: 'append', entries };
  }
  if (wanted !== undefined) return { kind: 'append', entries: questionEntries(snapshot, work, settings, wanted) };
  const warns = warnings(snapshot, work, 'look at the server, and say on its card how it ended.');
  // Without a question, the card itself shows what the look found.
  return { kind: 'append', entries: [], change: { ...work, says: settings[0]?.says ?? [], warns } };
}

/** What its question asks for beyond Confirm. Undefined: nothing is asked. */
export function wantedOf(
  snapshot: Snapshot,
  work: Pick<Work, 'actor' | 'command' | 'prepared' | 'breakGlass' | 'isSuggested'>,
): (Wanted & Pick<Work, 'overriddenFreezes'>) | undefined {
  const { rules, commands } = snapshot;
  const { prepared, breakGlass, isSuggested = false } = work;
  const command = commands.find(({ id }) => id === work.command);
  const freezes = freezesToTell(snapshot, work, prepared.servers);
  const {
    confirm = false,
    typed = false,
    approvals,
  } = command === undefined ? {} : rules.requirements(command, prepared.servers);
  if (!confirm && !isSuggested && breakGlass === undefined && freezes.length === 0) return undefined;
  const overriddenFreezes = freezes.length === 0 ? undefined : freezes;
  return { typed, overriddenFreezes, approvals: breakGlass === undefined ? approvals : undefined };
}
