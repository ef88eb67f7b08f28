import { type Markup, md, moment, trusted } from '../card.ts';
import { type Call, type Done, type PreparedChange, ReadFailed } from '../command.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import { type Actor, type Answer, LedgerUnavailable, outcomeOf, type RawOptions, type Server } from '../outcome.ts';
import { afterRead, reasons } from '../reasons.ts';
import { type Effect, readEffect, writeEffect } from '../runs/effects.ts';
import type { Entry, EntryPlace, Kind, NewRunEntry } from '../runs/entry.ts';
import { doneBefore, replaced, takenBack } from '../runs/history.ts';
import { typedName } from './notes.ts';
import { kept, type RunParts } from './parts.ts';
import { reader } from './read.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** One run to do: `facts` are what was set when it was asked about, and must still be so. */
export interface Run {
  run: string;
  server: Server;
  facts?: Facts;
}

/** A change that may be done now. */
export interface Work {
  invocationId: string;
  command: string;
  /** Who asked for it. */
  actor: Actor;
  place: EntryPlace;
  options: RawOptions;
  prepared: PreparedChange;
  runs: readonly Run[];
  /** Somebody was asked, and said yes. */
  isConfirmed?: true;
  /** The invocation that this is to undo: what was undone meanwhile is not undone again. */
  undoes?: string;
  /** Said on the card beside the outcome. */
  says?: readonly Markup[];
}

type ChangeParts = Pick<
  RunParts,
  'ledger' | 'outbox' | 'panel' | 'processId' | 'trail' | 'followUps' | 'isTrusted' | 'log' | 'now'
>;

/** How a run ended: what its outcome says. */
export type Ending = Pick<NewOutcome, 'outcome' | 'reason' | 'said' | 'undo' | 'remind'> & { detail?: Markup };
type NewOutcome = Extract<NewRunEntry, { kind: 'outcome' }>;

/** Does the runs in turn, one request each at most; the first unknown stops the rest. */
export async function change(parts: ChangeParts, work: Work): Promise<void> {
  let unknown = false;
  for (const run of work.runs) {
    if (unknown) await end(parts, work, [run], { outcome: 'not-sent', reason: 'earlier-unknown' });
    else unknown = (await one(parts, work, run)) === 'unknown';
  }
}

/** How often a run is decided again because its server was changed meanwhile. */
const mostTries = 5;

/** One run: decided against the ledger as it is, which refuses its intent when that is not so any more. */
async function one(parts: ChangeParts, work: Work, run: Run): Promise<Ending['outcome']> {
  for (let tries = 1; ; tries += 1) {
    const seen = await headNow(parts);
    const hold = undone(parts, work, run) ?? (await changed(parts, work, run)) ?? trailHold(parts.trail);
    if (hold !== undefined) return end(parts, work, [run], hold);
    const refused = await begin(parts, work, run, seen);
    if (refused === undefined) return send(parts, work, run);
    if (refused === 'unavailable') return end(parts, work, [run], { outcome: refused, reason: 'ledger-unavailable' });
    if (refused.rule === 'stale' && tries < mostTries) continue;
    // Somebody else ended it: the card says what the ledger says.
    if (refused.rule !== 'server-busy' && refused.rule !== 'stale') return 'not-sent';
    return end(parts, work, [run], busy(refused.by));
  }
}

/** Everything from here on is decided by what the ledger holds up to this entry. Where it cannot be read, it cannot be written either. */
async function headNow({ ledger }: ChangeParts): Promise<number> {
  await ledger.refresh().catch(() => undefined);
  return ledger.head().seq;
}

/** Records the intent: the only lock. Answers why it was refused. */
async function begin(
  parts: ChangeParts,
  work: Work,
  run: Run,
  seen: number,
): Promise<Refused | 'unavailable' | undefined> {
  const { opens = [], closes = [] } = work.prepared.effects(openOn(parts.ledger, run.server));
  const says = run === work.runs[0] ? (work.says ?? []) : [];
  try {
    await parts.ledger.append([
      {
        ...entryOf(work, run),
        kind: 'intent',
        owner: parts.processId,
        seen,
        ...undoing(work),
        ...(opens.length === 0 ? {} : { opens: opens.map(writeEffect) }),
        ...(closes.length === 0 ? {} : { closes: closes.map(writeEffect) }),
        ...(says.length === 0 ? {} : { says: says.map(({ markup }) => markup) }),
      },
    ]);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    if (error instanceof LedgerUnavailable) return 'unavailable';
    throw error;
  }
}

/** Why nothing may change now, where the ledger or the audit channel is the cause. */
export function trailHold(trail: Pick<RunParts['trail'], 'troubles'>): Ending | undefined {
  const [trouble] = trail.troubles();
  return trouble && { outcome: 'unavailable', reason: trouble.reason, detail: trusted(trouble.words) };
}

/** Another change of this server is under way, or was until just now: by whom, and since when. */
const busy = (by: Entry | undefined): Ending => ({
  outcome: 'blocked',
  reason: 'server-busy',
  ...(by === undefined || !('run' in by)
    ? {}
    : { detail: md`${by.actor.name} began ${typedName(by.command)} ${moment(Date.parse(by.time))}, run ${by.run}.` }),
});

/** Whether what this is to undo was undone, or replaced, since the click. */
function undone({ ledger }: ChangeParts, { undoes }: Work, { server }: Run): Ending | undefined {
  if (undoes === undefined) return undefined;
  const state = ledger.runs(undoes).find(({ outcome }) => outcome?.server?.id === server.id);
  const isOver =
    state !== undefined && (takenBack(ledger, state) !== undefined || replaced(ledger, state) !== undefined);
  return isOver ? { outcome: 'not-sent', reason: 'undone-meanwhile' } : undefined;
}

/** What of it goes into the ledger. */
export const undoing = ({ undoes }: { undoes?: string }): { undoes?: string } => defined({ undoes });

/** Reads again what the question was about. Undefined: it is as it was. */
async function changed(parts: ChangeParts, { prepared }: Work, { server, facts }: Run): Promise<Ending | undefined> {
  if (facts === undefined || prepared.look === undefined) return undefined;
  let now: Facts;
  try {
    now = (await prepared.look(server, reader(parts.panel, { kind: 'confirmed' }))).facts ?? {};
  } catch (error) {
    if (error instanceof ReadFailed) return lookFailed(error);
    throw error;
  }
  const differs = Object.keys(facts).filter((name) => facts[name] !== now[name]);
  if (differs.length === 0) return undefined;
  const detail = trusted(
    differs.map((name) => `${name}: ${String(facts[name])} then, ${String(now[name])} now.`).join(' '),
  );
  return { outcome: 'not-sent', reason: 'changed-since', detail };
}

/** The request, and its outcome. Between the intent and this lies the only moment in which a change leaves this machine. */
async function send(parts: ChangeParts, work: Work, run: Run): Promise<Ending['outcome']> {
  // What was set before this is what undoing it goes back to.
  const { command } = work;
  const remembered = doneBefore(parts.ledger, { command, server: run.server, seq: Number.POSITIVE_INFINITY })?.options;
  // Another process closes what this one does not show to be doing: it must not be sent after that.
  const maySend = (): boolean => parts.ledger.run(run.run)?.outcome === undefined && parts.isTrusted();
  const caller = work.isConfirmed ? ({ kind: 'confirmed' } as const) : ({ kind: 'person', id: work.actor.id } as const);
  const call: Call = (endpoint, input) => parts.panel.call(endpoint, input, caller, maySend);
  let answer: Answer<Done>;
  try {
    answer = await work.prepared.attempt(run.server, call, remembered);
  } catch (error) {
    // Whatever went wrong here went wrong after the intent: nobody can say whether the request left.
    parts.log.error({ run: run.run, problem: String(error) }, 'a change ended with a fault of the bot');
    answer = { kind: 'unknown', reason: 'bot-stopped' };
  }
  const due = work.prepared.remind === undefined ? undefined : parts.now() + work.prepared.remind;
  return end(parts, work, [run], endingOf(answer, due), started(parts, work, run, answer));
}

/** Effects that are open on a server, and those that may be: nobody knows whether they were done. */
function openOn(ledger: ChangeParts['ledger'], { id }: Server): Effect[] {
  const unknown = ledger.unknown().filter(({ intent }) => intent?.server?.id === id);
  return [
    ...ledger.effects().flatMap(({ effect, server }) => (server.id === id ? [effect] : [])),
    ...unknown.flatMap(({ intent }) => (intent?.opens ?? []).flatMap((text) => readEffect(text) ?? [])),
  ];
}

/** What is to be followed from here on, in the same append as the outcome. */
function started(parts: ChangeParts, work: Work, run: Run, answer: Answer<Done>): NewRunEntry[] {
  const job = answer.kind === 'yes' ? answer.data?.job : undefined;
  return startedEntries(parts, entryOf(work, run), job);
}

/** What says that a job is followed from here on; nothing where such jobs are not, or there is none. */
export function startedEntries(
  { followUps }: Pick<RunParts, 'followUps'>,
  of: ReturnType<typeof entryOf>,
  job: Done['job'],
): NewRunEntry[] {
  const deadline = job === undefined ? undefined : followUps.deadline(job.follow);
  if (job === undefined || deadline === undefined) return [];
  const { follow, id } = job;
  return [
    {
      ...{ ...of, kind: 'follow-up', step: 'started', follow, ...defined({ job: id }) },
      deadline: new Date(deadline).toISOString(),
    },
  ];
}

/** `due`: when the actor wants to be reminded of a yes, in ms. */
function endingOf(answer: Answer<Done>, due: number | undefined): Ending {
  if (answer.kind === 'yes') {
    const remind = due === undefined ? {} : { remind: new Date(due).toISOString() };
    if (answer.data === undefined) return { outcome: 'accepted', ...remind };
    const { outcome, says, undo } = answer.data;
    return { outcome, detail: says, ...remind, ...defined({ undo }) };
  }
  return {
    outcome: outcomeOf[answer.kind],
    reason: answer.reason,
    ...('said' in answer && answer.said !== undefined ? { said: answer.said } : {}),
    ...(answer.reason === 'server-error' && answer.status !== undefined
      ? { detail: trusted(`It answered ${answer.status}.`) }
      : {}),
  };
}

/** Nothing is sent when what is set now cannot be read. */
export function lookFailed({ answer }: ReadFailed): Ending {
  const said = 'said' in answer ? answer.said : undefined;
  return {
    outcome: 'not-sent',
    reason: 'look-failed',
    detail: trusted(`${reasons[answer.reason].why} ${afterRead(answer)}`),
    ...defined({ said }),
  };
}

/** What all entries of a run share. */
export const entryOf = (
  { actor, command, options, place }: Pick<Work, 'actor' | 'command' | 'options' | 'place'>,
  { run, server }: Pick<Run, 'run' | 'server'>,
): Omit<Kind<'reminded'>, 'kind' | 'seq' | 'time' | 'prev' | 'hash'> => ({
  run,
  actor,
  command,
  options,
  server: kept(server),
  place,
});

/** The entry that says how a run ended. */
export const outcomeEntry = (
  work: Parameters<typeof entryOf>[0],
  run: Parameters<typeof entryOf>[1],
  { detail, ...how }: Ending,
  owner?: string,
): NewOutcome => ({
  ...entryOf(work, run),
  kind: 'outcome',
  ...how,
  ...defined({ owner, detail: detail?.markup }),
});

/** Records how runs ended, in one append; through the outbox where the ledger cannot be written. */
export async function end(
  { ledger, outbox, processId, log }: Pick<RunParts, 'ledger' | 'outbox' | 'processId' | 'log'>,
  work: Pick<Work, 'actor' | 'command' | 'options' | 'place'>,
  runs: readonly Run[],
  how: Ending,
  more: readonly NewRunEntry[] = [],
): Promise<Ending['outcome']> {
  const entries = [...runs.map((run) => outcomeEntry(work, run, how, processId)), ...more];
  try {
    await ledger.append(entries);
  } catch (error) {
    const facts = { run: runs[0]?.run, outcome: how.outcome, problem: String(error) };
    log.error(facts, 'the ledger does not take an outcome');
    if (error instanceof LedgerUnavailable) outbox.put(entries);
  }
  return how.outcome;
}
