import { outcomeEntry } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion, type RunState } from '../runs/state.ts';
import { closeInvocation } from './close.ts';
import type { RunParts } from './parts.ts';

/** Periodic work: flushes the outbox, expires questions, and closes what dead processes left behind. Never rejects. */
export async function recover(parts: RunParts): Promise<void> {
  for (const step of [sweep, flush, refresh, unclaimed, expire, takeOver, orphans]) {
    await step(parts).catch((error: unknown) => {
      // These two errors are already in the log.
      const known = error instanceof RedisUnavailable || error instanceof LedgerUnavailable;
      parts.log[known ? 'debug' : 'warn']({ problem: String(error) }, `recovery stops at ${step.name}`);
    });
  }
}

/** Records repeated denials. */
const sweep = ({ denials }: RunParts): Promise<void> => denials.sweep();

const flush = ({ outbox }: RunParts): Promise<void> => outbox.flush();

/** Reads entries of other processes. */
const refresh = ({ ledger }: RunParts): Promise<void> => ledger.refresh();

/**
 * Checks commands without runs that could not be claimed, once Redis answers. Shows the result if another process
 * executed one.
 */
async function unclaimed(parts: RunParts): Promise<void> {
  for (const [id, opened] of parts.unclaimed) {
    const claim = await parts.claim(opened.interaction.id);
    if (claim === 'unknown') return;
    parts.unclaimed.delete(id);
    // `ours`: nobody executed it, and its card already says so.
    if (claim === 'theirs') await closeInvocation(parts, id, opened, 'bot-restarted');
  }
}

/** Expires questions that nobody confirmed in time. */
async function expire({ ledger, now, log }: RunParts): Promise<void> {
  const due = ledger.open().flatMap((state) => {
    const { run } = state;
    const asked = state.asked ?? state.requested;
    return asked !== undefined && isOpenQuestion(state) && expiryOf(state) <= now() ? [{ run, asked }] : [];
  });
  const ids = new Set(due.map(({ run }) => invocationOf(run)));
  for (const id of ids) {
    const entries = due.flatMap(({ run, asked }) =>
      invocationOf(run) === id
        ? [outcomeEntry(asked, { run, server: asked.server ?? { id: 0 } }, { outcome: 'expired', reason: 'expired' })]
        : [],
    );
    await ledger.append(entries).catch((error: unknown) => {
      // Another process closed it.
      if (!(error instanceof Refused)) throw error;
      log.debug({ run: id, problem: String(error) }, 'a question is closed already');
    });
  }
}

/** Takes over the cards of dead processes, and closes their commands. */
async function takeOver(parts: RunParts): Promise<void> {
  const { ledger, leftOver, inProgress } = parts;
  const { left, isAhead } = await parts.cards.takeOver();
  const why = isAhead ? 'ledger-replaced' : 'bot-restarted';
  for (const [id, opened] of left) if (opened !== undefined) leftOver.set(id, { opened, why });
  // What is open in this ledger may have ended in the lost one.
  if (isAhead)
    for (const id of [...ledger.open().map(({ run }) => invocationOf(run)), ...ledger.unfinished()])
      if (!leftOver.has(id)) leftOver.set(id, { why });
  const abandoned = new Set(await abandonedOf(parts, [...leftOver.keys()]));
  for (const [id, { opened, why }] of leftOver) {
    if (abandoned.has(id) && !inProgress.has(id)) await closeInvocation(parts, id, opened, why);
    leftOver.delete(id);
  }
}

/** Closes commands whose process is dead or no longer works on them. */
async function orphans(parts: RunParts): Promise<void> {
  const { ledger, outbox, inProgress } = parts;
  const begun = ledger
    .unfinished()
    .filter((id) => !inProgress.has(id) && !outbox.waits(id) && !ledger.runs(id).every(isOpenQuestion));
  for (const id of await abandonedOf(parts, begun)) await closeInvocation(parts, id, undefined, 'bot-restarted');
}

/**
 * The commands that no other living process works on. The process that draws a card need not be the one that executes
 * its command.
 */
async function abandonedOf(
  { ledger, alive, processId }: Pick<RunParts, 'ledger' | 'alive' | 'processId'>,
  ids: readonly string[],
): Promise<string[]> {
  const owned = ids.map((id) => ({
    id,
    owners: ledger
      .runs(id)
      .flatMap(ownersOf)
      .filter((owner) => owner !== processId),
  }));
  const foreign = new Set(owned.flatMap(({ owners }) => owners));
  const living = foreign.size === 0 ? new Set<string>() : await alive([...foreign]);
  return owned.filter(({ owners }) => !owners.some((owner) => living.has(owner))).map(({ id }) => id);
}

const ownersOf = ({ confirmed, approved, intent, outcome }: RunState): string[] =>
  [
    (approved?.at(-1) ?? confirmed)?.owner,
    intent?.owner,
    outcome?.kind === 'outcome' ? outcome.owner : undefined,
  ].filter((owner) => owner !== undefined);
