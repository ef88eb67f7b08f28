import { outcomeEntry } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion } from '../runs/state.ts';
import { closeInvocation } from './close.ts';
import type { RunParts } from './parts.ts';

/** Periodic work: flushes the outbox, expires questions, and closes what an earlier process left behind. Never rejects. */
export async function recover(parts: RunParts): Promise<void> {
  for (const step of [sweep, flush, expire, takeOver, orphans]) {
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
      // Somebody answered it meanwhile.
      if (!(error instanceof Refused)) throw error;
      log.debug({ run: id, problem: String(error) }, 'a question is closed already');
    });
  }
}

/** Takes over the cards of an earlier process, and closes their commands. */
async function takeOver(parts: RunParts): Promise<void> {
  const { ledger, leftOver, inProgress } = parts;
  const { left, isAhead } = await parts.cards.takeOver();
  const why = isAhead ? 'ledger-replaced' : 'bot-restarted';
  for (const [id, opened] of left) if (opened !== undefined) leftOver.set(id, { opened, why });
  // What is open in this ledger may have ended in the lost one.
  if (isAhead)
    for (const id of [...ledger.open().map(({ run }) => invocationOf(run)), ...ledger.unfinished()])
      if (!leftOver.has(id)) leftOver.set(id, { why });
  // What is under way may be in the ledger already, or never be.
  if (leftOver.size > 0) await ledger.settle();
  for (const [id, { opened, why }] of leftOver) {
    if (!inProgress.has(id)) await closeInvocation(parts, id, opened, why);
    leftOver.delete(id);
  }
}

/** Closes commands that nobody works on any more. */
async function orphans(parts: RunParts): Promise<void> {
  const { ledger, outbox, inProgress } = parts;
  const begun = ledger
    .unfinished()
    .filter((id) => !inProgress.has(id) && outbox.of(id).length === 0 && !ledger.runs(id).every(isOpenQuestion));
  for (const id of begun) await closeInvocation(parts, id, undefined, 'bot-restarted');
}
