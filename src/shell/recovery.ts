import { type Card, trusted } from '../card.ts';
import { knownOf } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import { outcomeEntry } from '../decide/entries.ts';
import { withLine } from '../decide/invalid.ts';
import { nameOf, note, typedName } from '../decide/notes.ts';
import { changesState } from '../decide/reach.ts';
import type { Ending } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { newestFirst } from '../runs/entries.ts';
import { contradicts } from '../runs/findings.ts';
import { invocationOf, runIdOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion, orderOf, type RunState } from '../runs/state.ts';
import { brokenOff, faultOf, type Interruption, logFault, outcomeOfFault } from './fault.ts';
import type { RunParts } from './parts.ts';
import { toolsOf, withFact } from './read.ts';

/** Periodic work: flushes the outbox, expires questions, and closes what an earlier process left behind. Never rejects. */
export async function recover(parts: RunParts): Promise<void> {
  for (const step of [flush, expire, takeOver, orphans]) {
    await step(parts).catch((error: unknown) => {
      // These two errors are already in the log.
      const known = error instanceof RedisUnavailable || error instanceof LedgerUnavailable;
      parts.log[known ? 'debug' : 'warn']({ problem: String(error) }, `recovery stops at ${step.name}`);
    });
  }
}

async function flush({ limits, ledger }: RunParts): Promise<void> {
  await limits.denials.sweep();
  await ledger.flush();
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
      // Somebody answered it meanwhile.
      if (!(error instanceof Refused)) throw error;
      log.debug({ run: id, problem: String(error) }, 'a question is closed already');
    });
  }
}

/** Takes over the cards of an earlier process, and closes their commands. */
async function takeOver(parts: RunParts): Promise<void> {
  const { ledger, unended } = parts;
  const { left, isAhead } = await parts.cards.takeOver();
  const why = isAhead ? 'ledger-replaced' : 'bot-restarted';
  const leave = (id: string, opened?: Opened, cause: Interruption = why): void => {
    if (!unended.has(id)) unended.set(id, { why: cause, ...(opened && { opened }) });
  };
  for (const id of outdated(ledger)) leave(id, undefined, 'ledger-replaced');
  for (const [id, opened] of left) if (opened !== undefined) leave(id, opened);
  // What is open in this ledger may have ended in the lost one.
  if (isAhead)
    for (const id of [...ledger.open().map(({ run }) => invocationOf(run)), ...ledger.unfinished()]) leave(id);
  const all = [...unended].flatMap(([id, each]) => ('why' in each ? [[id, each] as const] : []));
  // What is under way may be in the ledger already, or never be.
  if (all.length > 0) await ledger.settle();
  for (const [id, each] of all) {
    // Somebody may have confirmed it meanwhile: then it is under way.
    if (unended.get(id) !== each) continue;
    await closeInvocation(parts, id, each.opened, each.why);
    if (unended.get(id) === each) unended.delete(id);
  }
}

/**
 * Questions of an earlier process from before what only the trail has: they may have been confirmed, since this ledger may be
 * an older one, and the cards as old.
 */
function outdated(ledger: RunParts['ledger']): string[] {
  const lost = ledger
    .findings()
    .flatMap(({ found }) => (contradicts(found) ? [Math.min(found.from ?? found.seq, found.seq)] : []));
  const old = ledger.open().flatMap((state) => {
    const { seq = 0 } = orderOf(state) ?? {};
    return isOpenQuestion(state) && lost.some((from) => seq < from) ? [{ seq, id: invocationOf(state.run) }] : [];
  });
  const begun = old.length === 0 ? 0 : begunAt(ledger);
  return old.flatMap(({ seq, id }) => (seq < begun ? [id] : []));
}

/** The entry with which the process that leads began. */
function begunAt(ledger: RunParts['ledger']): number {
  for (const { kind, seq } of newestFirst(ledger.entries())) if (kind === 'started') return seq;
  return 0;
}

/** Closes commands that nobody works on any more. */
async function orphans(parts: RunParts): Promise<void> {
  const { ledger, unended } = parts;
  const isUnderWay = (id: string): boolean => {
    const each = unended.get(id);
    return each !== undefined && !('why' in each);
  };
  const begun = ledger
    .unfinished()
    .filter((id) => !isUnderWay(id) && ledger.unrecorded(id).length === 0 && !ledger.runs(id).every(isOpenQuestion));
  for (const id of begun) if (!isUnderWay(id)) await closeInvocation(parts, id, undefined, 'bot-restarted');
}

/**
 * Ends the abandoned runs of an invocation, in one append. A run with an intent but no outcome becomes `unknown`; a run
 * without an intent becomes `not-sent`. An open question stays open. If the ledger was lost, everything becomes
 * `unknown`. Rejects with LedgerUnavailable: try again later.
 */
async function closeInvocation(
  parts: RunParts,
  id: string,
  opened: Opened | undefined,
  why: Interruption,
): Promise<void> {
  const { ledger, rules } = parts;
  const known = knownOf({ records: ledger, unrecorded: ledger.unrecorded, find: rules.find }, id, opened);
  if (known === undefined) return;
  const { states, servers, actor, command, options } = known;
  if (why !== 'ledger-replaced' && states.length > 0 && states.every(isOpenQuestion)) return;
  if (servers.length === 0 && opened !== undefined) {
    // What is on its way to the ledger was done, or never will be.
    await ledger.settle();
    return parts.cards.answer(id, opened, await interruptedCard(parts, opened, why));
  }
  const first = states[0] && orderOf(states[0]);
  const place = first?.place ?? opened?.place;
  if (place === undefined) return;
  const entries = servers.flatMap((server, i) => {
    const state = states.find((each) => orderOf(each)?.server?.id === server.id);
    if (state?.outcome !== undefined) return [];
    const run = state?.run ?? runIdOf(id, i + 1);
    return [outcomeEntry({ actor, command, options, place }, { run, server }, endingOf(state, why))];
  });
  if (entries.length === 0) return;
  await ledger.append(entries).catch((error: unknown) => {
    // It ended meanwhile.
    if (!(error instanceof Refused)) throw error;
  });
}

function endingOf(state: RunState | undefined, why: Interruption): Ending {
  if (why === 'ledger-replaced') return { outcome: 'unknown', reason: why };
  return state?.intent === undefined
    ? { outcome: outcomeOfFault(why), reason: why }
    : { outcome: 'unknown', reason: 'bot-stopped' };
}

/** The card of an interrupted command without runs. Looks up what it recorded, if it can. */
async function interruptedCard(
  parts: RunParts,
  { command: id, options, place, actor }: Opened,
  why: Interruption,
): Promise<Card> {
  const command = parts.commands.find((each) => each.id === id);
  if (command === undefined || command.local === undefined || !changesState(command))
    return brokenOff(command === undefined ? typedName(id) : nameOf(command), why, command);
  if (command.resume === undefined)
    return note(
      'unknown',
      typedName(command.id),
      trusted(
        'The bot stopped while it was doing this. It may or may not have been done. Nothing was sent to the panel.',
      ),
      trusted('/follow-ups list shows what is followed now.'),
    );
  const { message: card, ...where } = place;
  const tools = toolsOf(parts, { place: where, card });
  const view = withLine(await command.resume(tools), command, options);
  const { outcome = 'succeeded' } = view;
  const small = [trusted(`By <@${actor.id}>`)];
  return { state: outcome, command: nameOf(command), ...withFact(view), small };
}

/** Protects the invocation from recovery while `work` runs, and closes it if that throws. `asker`: who asks. */
export async function withProgress(
  parts: RunParts,
  id: string,
  work: () => Promise<void>,
  asker?: string,
): Promise<void> {
  const { unended, cards, log } = parts;
  const stop = (): Promise<void> =>
    closeInvocation(parts, id, cards.opened(id), 'bot-restarted').catch((error: unknown) =>
      log.warn({ run: id, problem: String(error) }, 'cannot end a command that is still in progress'),
    );
  const working = { asker, stop };
  unended.set(id, working);
  try {
    await work();
  } catch (error) {
    const why = faultOf(error);
    logFault(log, { run: id }, 'a command failed', error);
    const opened = cards.opened(id);
    await closeInvocation(parts, id, opened, why).catch((problem: unknown) => {
      // If the ledger cannot take that now, recovery does it later.
      if (opened !== undefined) unended.set(id, { opened, why });
      throw problem;
    });
  } finally {
    if (unended.get(id) === working) unended.delete(id);
  }
}
