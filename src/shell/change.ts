import { linkTo, type Markup, md, moment } from '../card.ts';
import { type Call, type Done, ReadFailed } from '../command.ts';
import {
  changedSince,
  doneMeanwhile,
  forbiddenNow,
  lagLines,
  lookFailed,
  overridden,
  serverNow,
  stopNow,
  stoppedBy,
  trailBlocker,
  undoneMeanwhile,
} from '../decide/blockers.ts';
import { entryOf, outcomeEntry } from '../decide/entries.ts';
import { statusLine, typedName } from '../decide/notes.ts';
import type { Ending, Run, Work } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { type CallResult, LedgerUnavailable, outcomeOf, type Server } from '../outcome.ts';
import type { NotSentReason } from '../reasons.ts';
import { type Effect, readEffect, writeEffect } from '../runs/effects.ts';
import type { Entry, Kind, NewRunEntry, RunEntry } from '../runs/entry.ts';
import { isStop } from '../runs/freezes.ts';
import { pastOf } from '../runs/history.ts';
import type { Kept } from '../runs/kept.ts';
import { faultOf, logFault } from './fault.ts';
import type { Parts, RunParts } from './parts.ts';
import { reader } from './read.ts';

type ChangeParts = Pick<RunParts, 'ledger' | 'panel' | 'trail' | 'followUps' | 'log' | 'now' | 'rules' | 'commands'>;

/** Executes the runs in turn, with at most one request each. The first `unknown` stops the rest. */
export async function execute(parts: ChangeParts, work: Work): Promise<void> {
  // What was confirmed as a whole is begun as a whole. Later, the policy decides about each server again.
  const [forbidden] = work.runs.flatMap((run) => forbiddenNow(parts, work, run) ?? []);
  if (forbidden !== undefined) return void (await end(parts, work, work.runs, forbidden));
  let unknown = false;
  const read: Promise<void>[] = [];
  for (const run of work.runs) {
    if (unknown) await end(parts, work, [run], { outcome: 'not-sent', reason: 'earlier-unknown' });
    else {
      const outcome = await runOne(parts, work, run);
      // It has ended meanwhile: the card shows what the ledger has.
      if (outcome === 'over') break;
      unknown = outcome === 'unknown';
      if (outcome === 'succeeded' || outcome === 'accepted')
        read.push(readBack(parts, work, run.server, entryOf(work, run)));
    }
  }
  await Promise.all(read);
}

/** How often to decide a run again because its server changed meanwhile. */
const maxTries = 5;

/** Executes one run. Decides from the current ledger, which refuses the intent if it has changed since. */
async function runOne(parts: ChangeParts, work: Work, asked: Run): Promise<Ending['outcome'] | 'over'> {
  for (let tries = 1; ; tries += 1) {
    const seen = parts.ledger.head().seq;
    const run = { ...asked, server: serverNow(parts, asked.server) };
    const { blocker, ...read } = await lookAgain(parts, work, run);
    if (blocker !== undefined) return end(parts, work, [run], blocker);
    const refused = await recordIntent(parts, work, run, { seen, ...read });
    if (typeof refused === 'number') return send(parts, work, run, refused);
    if (refused === 'unavailable') return end(parts, work, [run], { outcome: refused, reason: 'ledger-unavailable' });
    if (refused.rule === 'stopped' && refused.by !== undefined && isStop(refused.by))
      return end(parts, work, [run], stoppedBy(refused.by));
    if (refused.rule === 'stale' && tries < maxTries) continue;
    if (refused.rule !== 'server-busy' && refused.rule !== 'stale') return 'over';
    return end(parts, work, [run], blockedBy(refused.by));
  }
}

/** Why nothing may be sent now; else what the last look found that is about to be removed. */
async function lookAgain(parts: ChangeParts, work: Work, run: Run): ReturnType<typeof recheck> {
  const stop = stopNow(parts, work, run);
  const early = (stop && stoppedBy(stop)) ?? undoneMeanwhile(parts, work, run) ?? doneMeanwhile(parts, work, run);
  if (early !== undefined) return { blocker: early };
  const { blocker, ...read } = await recheck(parts, work, run);
  return { ...read, blocker: blocker ?? trailBlocker(parts.trail, work) ?? forbiddenNow(parts, work, run) };
}

/** Appends the intent, which is the only lock. Returns its `seq`, or why the ledger refused it. */
async function recordIntent(
  parts: ChangeParts,
  work: Work,
  run: Run,
  read: Pick<Kind<'intent'>, 'seen' | 'kept'>,
): Promise<Refused | 'unavailable' | number> {
  const { opens = [], closes = [] } = work.prepared.effects(openEffectsOn(parts.ledger, run.server));
  const despite = overridden(parts, work, run.server);
  const { says = [], warns = [] } = run.run === work.runs[0]?.run ? work : {};
  try {
    const [recorded] = await parts.ledger.append([
      {
        ...entryOf(work, run),
        kind: 'intent',
        ...read,
        undoes: work.undoes,
        list: parts.rules.listDigest,
        ...(despite.length === 0 ? {} : { despite }),
        ...(opens.length === 0 ? {} : { opens: opens.map(writeEffect) }),
        ...(closes.length === 0 ? {} : { closes: closes.map(writeEffect) }),
        ...saying([...says, ...lagLines(parts.trail, work)]),
        ...(warns.length === 0 ? {} : { warns: warns.map((each) => ({ run: each.run, says: each.says.markup })) }),
      },
    ]);
    if (recorded === undefined) throw new Error('the ledger returned no intent');
    return recorded.seq;
  } catch (error) {
    if (error instanceof Refused) return error;
    if (error instanceof LedgerUnavailable) return 'unavailable';
    throw error;
  }
}

const saying = (says: readonly Markup[]): { says?: string[] } =>
  says.length === 0 ? {} : { says: says.map(({ markup }) => markup) };

/** Another change of this server is in progress, or just ended: by whom, and since when. */
const blockedBy = (by: Entry | undefined): Ending => ({
  outcome: 'blocked',
  reason: 'server-busy',
  ...(by === undefined || !('run' in by)
    ? {}
    : { detail: md`${by.actor.name} began ${typedName(by.command)} ${moment(Date.parse(by.time))}, ${runLink(by)}.` }),
});

/** "run 9kq….1", as a link to its card where that is known. */
const runLink = ({ run, place: { guild, channel, message } }: RunEntry): Markup =>
  message === undefined ? md`run ${run}` : linkTo(`run ${run}`, { guild, channel, message });

/** Sends the request and records its outcome. Only here does a change leave this machine. */
async function send(parts: ChangeParts, work: Work, run: Run, ends: number): Promise<Ending['outcome']> {
  const past = pastOf(parts.ledger, { ...work, ...run, kept: parts.ledger.run(run.run)?.intent?.kept });
  // Once another process may lead, it may have closed the run. Nothing may be sent after that.
  const held = (): NotSentReason | undefined =>
    parts.ledger.run(run.run)?.outcome === undefined && parts.ledger.isHeld()
      ? (forbiddenNow(parts, work, run)?.reason ?? stopNow(parts, work, run)?.kind)
      : 'given-up';
  const caller = work.isConfirmed ? ({ kind: 'confirmed' } as const) : ({ kind: 'person', id: work.actor.id } as const);
  const call: Call = (endpoint, input) => parts.panel.call(endpoint, input, caller, held);
  let result: CallResult<Done>;
  try {
    result = await work.prepared.attempt(run.server, call, past);
  } catch (error) {
    // This failed after the intent: nobody can say whether the request left.
    logFault(parts.log, { run: run.run }, 'a change failed', error);
    result = { kind: 'unknown', reason: faultOf(error) === 'bot-fault' ? 'bot-failed' : 'store-failed' };
  }
  const due = work.prepared.remind === undefined ? undefined : parts.now() + work.prepared.remind;
  return end(parts, work, [run], { ...endingOf(result, due), ends }, followUpStart(parts, work, run, result));
}

/** Effects that are open on a server, including those of runs whose outcome is unknown. */
function openEffectsOn(ledger: ChangeParts['ledger'], { id }: Server): Effect[] {
  const unknown = ledger.unknown().filter(({ intent }) => intent?.server?.id === id);
  return [
    ...ledger.effects(id).map(({ effect }) => effect),
    ...unknown.flatMap(({ intent }) => (intent?.opens ?? []).flatMap((text) => readEffect(text) ?? [])),
  ];
}

/** The start of the follow-up, for the same append as the outcome. */
function followUpStart(parts: ChangeParts, work: Work, run: Run, result: CallResult<Done>): NewRunEntry[] {
  const job = result.kind === 'yes' ? result.data.job : undefined;
  return startedEntries(parts, entryOf(work, run), job);
}

/** The entry that starts a follow-up. None if there is no job, or such jobs are not followed. */
function startedEntries(
  { followUps }: Pick<RunParts, 'followUps'>,
  of: ReturnType<typeof entryOf>,
  job: Done['job'],
): NewRunEntry[] {
  const deadline = job === undefined ? undefined : followUps.deadline(job.follow);
  if (job === undefined || deadline === undefined) return [];
  const { follow, id } = job;
  return [
    {
      ...{ ...of, kind: 'follow-up', step: 'started', follow, job: id },
      deadline: new Date(deadline).toISOString(),
    },
  ];
}

/** `due`: when to remind the actor, if the panel says yes; in ms. */
function endingOf(result: CallResult<Done>, due: number | undefined): Ending {
  if (result.kind === 'yes') {
    const remind = due === undefined ? {} : { remind: new Date(due).toISOString() };
    const { outcome, says, undo } = result.data;
    return { outcome, detail: says, ...remind, undo };
  }
  return {
    outcome: outcomeOf[result.kind],
    reason: result.reason,
    said: result.said,
    detail: statusLine(result),
  };
}

/** Records the outcomes of runs in one append. */
export async function end(
  { ledger }: Pick<RunParts, 'ledger'>,
  work: Pick<Work, 'actor' | 'command' | 'options' | 'place'>,
  runs: readonly Run[],
  how: Ending,
  more: readonly NewRunEntry[] = [],
): Promise<Ending['outcome']> {
  await ledger.record([...runs.map((run) => outcomeEntry(work, run, how)), ...more]);
  return how.outcome;
}

/** Reads the settings again and compares them with the question's: why nothing is sent, or what will be removed. */
async function recheck(
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

/**
 * For a command with `readBack`: records what is set right after a yes, so that the ledger knows later which options gave
 * it. Nothing depends on it: if it fails, or if something else was changed there meanwhile, the ledger does not know. `of`:
 * what the run's entries share.
 */
async function readBack(
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
