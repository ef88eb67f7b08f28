import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { invocationOf } from '../runs/ids.ts';
import { isOpenQuestion, type RunState } from '../runs/state.ts';
import { outcomeEntry } from './change.ts';
import { closeInvocation } from './close.ts';
import type { RunParts } from './parts.ts';

/**
 * What has to be done again and again: what waits in the outbox, questions that ran out, and what processes that are no more have left
 * behind. Never rejects.
 */
export async function recover(parts: RunParts): Promise<void> {
  for (const step of [sweep, flush, refresh, unclaimed, expire, takeOver, orphans]) {
    await step(parts).catch((error: unknown) => {
      // That Redis is away, or the ledger cannot be written, is in the log already.
      const known = error instanceof RedisUnavailable || error instanceof LedgerUnavailable;
      parts.log[known ? 'debug' : 'warn']({ problem: String(error) }, `recovery stops at ${step.name}`);
    });
  }
}

/** What was denied again and again. */
const sweep = ({ denials }: RunParts): Promise<void> => denials.sweep();

const flush = ({ outbox }: RunParts): Promise<void> => outbox.flush();

/** What other processes recorded. */
const refresh = ({ ledger }: RunParts): Promise<void> => ledger.refresh();

/** Commands without runs that nobody could claim: once Redis can tell, what another process has is shown as it is. */
async function unclaimed(parts: RunParts): Promise<void> {
  for (const [id, opened] of parts.unclaimed) {
    const claim = await parts.claim(opened.interaction.id);
    if (claim === 'unknown') return;
    parts.unclaimed.delete(id);
    // Ours means that nobody had it: its card says already that nothing was done.
    if (claim === 'theirs') await closeInvocation(parts, id, opened, 'bot-restarted');
  }
}

/** Questions that nobody confirmed in time. */
async function expire({ ledger, now, log }: RunParts): Promise<void> {
  const due = ledger.open().flatMap((state) => {
    const { asked, run } = state;
    return asked !== undefined && isOpenQuestion(state) && Date.parse(asked.expires) <= now() ? [{ run, asked }] : [];
  });
  const ids = new Set(due.map(({ run }) => invocationOf(run)));
  for (const id of ids) {
    const entries = due.flatMap(({ run, asked }) =>
      invocationOf(run) === id
        ? [outcomeEntry(asked, { run, server: asked.server ?? { id: 0 } }, { outcome: 'expired', reason: 'expired' })]
        : [],
    );
    await ledger.append(entries).catch((error: unknown) => {
      // Somebody else closed it.
      if (!(error instanceof Refused)) throw error;
      log.debug({ run: id, problem: String(error) }, 'a question is closed already');
    });
  }
}

/** Cards that processes which are no more left, and the commands behind them. */
async function takeOver(parts: RunParts): Promise<void> {
  const { ledger, leftOver, inProgress } = parts;
  const { left, isAhead } = await parts.cards.takeOver();
  const why = isAhead ? 'ledger-replaced' : 'bot-restarted';
  for (const [id, opened] of left) if (opened !== undefined) leftOver.set(id, { opened, why });
  // What this ledger has for open may be over in the one that is lost.
  if (isAhead)
    for (const id of [...ledger.open().map(({ run }) => invocationOf(run)), ...ledger.unfinished()])
      if (!leftOver.has(id)) leftOver.set(id, { why });
  const abandoned = new Set(await abandonedOf(parts, [...leftOver.keys()]));
  for (const [id, { opened, why }] of leftOver) {
    if (abandoned.has(id) && !inProgress.has(id)) await closeInvocation(parts, id, opened, why);
    leftOver.delete(id);
  }
}

/** Commands that somebody went on with who is no more, or does not do them any more. */
async function orphans(parts: RunParts): Promise<void> {
  const { ledger, outbox, inProgress } = parts;
  const begun = ledger
    .unfinished()
    .filter((id) => !inProgress.has(id) && !outbox.waits(id) && !ledger.runs(id).every(isOpenQuestion));
  for (const id of await abandonedOf(parts, begun)) await closeInvocation(parts, id, undefined, 'bot-restarted');
}

/** Those of these commands that no other living process goes on with: who draws a card need not be who does the command. */
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

const ownersOf = ({ confirmed, intent, outcome }: RunState): string[] =>
  [confirmed?.owner, intent?.owner, outcome?.kind === 'outcome' ? outcome.owner : undefined].filter(
    (owner) => owner !== undefined,
  );
