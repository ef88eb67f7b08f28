import { type Card, type Markup, md, moment, own } from '../card.ts';
import { type Call, type Done, type PreparedChange, ReadFailed } from '../command.ts';
import type { NewRunEntry } from '../ledger/entry.ts';
import {
  type Answer,
  LedgerUnavailable,
  outcomeOf,
  type RawOptions,
  RedisUnavailable,
  type Server,
} from '../outcome.ts';
import { afterRead, reasons } from '../reasons.ts';
import { type About, type Ended, endCard, typedName, unavailable, workingCard } from './cards.ts';
import { offersOf } from './offers.ts';
import { kept, type Parts } from './parts.ts';
import { reader } from './read.ts';
import { face, lastWord, type RetireParts, retire } from './retire.ts';
import { endedOf, stemOfRun } from './settle.ts';
import { replaced, takenBack } from './since.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

/** One run to do: `facts` are what was set when it was asked about, and must still be so. */
export interface Run {
  run: string;
  server: Server;
  facts?: Facts;
}

/** A change that may be done now. `show` edits its card. */
export interface Work {
  about: About;
  place: NewRunEntry['place'];
  options: RawOptions;
  prepared: PreparedChange;
  runs: readonly Run[];
  /** The stem of the invocation that this is to undo: what was undone meanwhile is not undone again. */
  undoes?: string;
  /** Said on the card beside the outcome. */
  extra?: readonly Markup[];
  show(card: Card): Promise<void>;
}

type ChangeParts = Pick<Parts, 'locks' | 'panel' | 'owner' | 'trail'> &
  RetireParts & { owed: NewRunEntry[]; doubted: Set<string> };

/** Does the runs in turn, one request each at most; the first unknown stops the rest. The card is terminal when this resolves. */
export async function change(parts: ChangeParts, work: Work): Promise<void> {
  const ended: Ended[] = [];
  for (const run of work.runs) {
    const doubt = ended.some(({ outcome }) => outcome === 'unknown');
    ended.push(
      doubt
        ? await end(parts, work, run, { outcome: 'not-sent', reason: 'earlier-unknown' })
        : await one(parts, work, run),
    );
    if (ended.length < work.runs.length) showProgress(parts, work, ended);
  }
  const { about, prepared } = work;
  const offers = offersOf(parts.ledger, parts.ledger.runs(about.stem), prepared);
  const before = face(parts, about.stem);
  await work.show(endCard(about, ended, offers, work.extra));
  await lastWord(parts, about.stem, before);
  // Not waited for: only cards that have no part in this change are shown anew.
  void retire(parts, about.stem);
  // Not waited for: what is followed stands in the ledger, and is put into the queue again and again.
  void parts.followUps.reconcile();
}

/** Only for the eye: the runs do not wait for Discord to take it. */
function showProgress(parts: ChangeParts, work: Work, ended: readonly Ended[]): void {
  const { body } = endCard(work.about, ended);
  const left = own(`${work.runs.length - ended.length} still to do.`);
  work.show({ ...workingCard(work.about), body: [...body, left] }).catch((error: unknown) => {
    parts.log.warn({ run: work.about.stem, problem: String(error) }, 'the progress of several runs could not be shown');
  });
}

/** One run under the lease of its server. */
async function one(parts: ChangeParts, work: Work, run: Run): Promise<Ended> {
  let lease: Awaited<ReturnType<Parts['locks']['lease']>>;
  try {
    const { actor, command } = work.about;
    lease = await parts.locks.lease(run.server.id, { run: run.run, who: actor.name, command, since: parts.now() });
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error;
    return end(parts, work, run, { outcome: 'unavailable', reason: 'redis-unavailable' });
  }
  if ('by' in lease) return end(parts, work, run, busy(lease.by));
  try {
    const hold = (await underWay(parts, run)) ?? (await undone(parts, work, run)) ?? (await changed(parts, work, run));
    if (hold !== undefined) return await end(parts, work, run, hold);
    const held = lease.held.lost()
      ? { outcome: 'unavailable' as const, reason: 'redis-unavailable' as const }
      : trailHold(parts.trail);
    return held === undefined ? await send(parts, work, run) : await end(parts, work, run, held);
  } finally {
    await lease.held.release();
  }
}

/** Why nothing may change now, where the audit channel is the cause. */
export function trailHold(trail: Pick<Parts['trail'], 'trouble' | 'words'>): End | undefined {
  const [reason, words] = [trail.trouble(), trail.words()];
  if (reason === undefined) return undefined;
  return { outcome: 'unavailable', reason, ...(words === undefined ? {} : { detail: own(words) }) };
}

const busy = ({ who, command, run, since }: { who: string; command: string; run: string; since: number }): End => ({
  outcome: 'blocked',
  reason: 'server-busy',
  detail: md`${who} began ${typedName(command)} ${moment(since)}, run ${run}.`,
});

/**
 * Whether the end of another change of this server is not recorded yet, by a process whose lease has lapsed, or was let go: the
 * ledger would have the two in the wrong order.
 */
async function underWay({ ledger }: ChangeParts, { run, server }: Run): Promise<End | undefined> {
  try {
    await ledger.refresh();
  } catch (error) {
    return unavailable(error);
  }
  const other = ledger.open().find(({ intent }) => intent?.server?.id === server.id && intent.run !== run)?.intent;
  if (other === undefined) return undefined;
  return busy({ who: other.actor.name, command: other.command, run: other.run, since: Date.parse(other.time) });
}

/** Whether what this is to undo was undone, or set anew, since the click; whoever does that has the same lease. */
async function undone({ ledger }: ChangeParts, { undoes }: Work, { server }: Run): Promise<End | undefined> {
  if (undoes === undefined) return undefined;
  try {
    await ledger.refresh();
  } catch (error) {
    return unavailable(error);
  }
  const state = ledger.runs(undoes).find(({ outcome }) => outcome?.server?.id === server.id);
  const isOver =
    state !== undefined && (takenBack(ledger, state) !== undefined || replaced(ledger, state) !== undefined);
  return isOver ? { outcome: 'not-sent', reason: 'undone-meanwhile' } : undefined;
}

/** What of it goes from hand to hand, and into the ledger. */
export const undoing = ({ undoes }: { undoes?: string }): { undoes?: string } =>
  undoes === undefined ? {} : { undoes };

/** Reads again what the question was about. Undefined: it is as it was. */
async function changed(parts: ChangeParts, { prepared }: Work, { server, facts }: Run): Promise<End | undefined> {
  if (facts === undefined || prepared.look === undefined) return undefined;
  let now: Facts;
  try {
    now = (await prepared.look(server, reader(parts.panel, { kind: 'bot' }))).facts ?? {};
  } catch (error) {
    return lookFailed(error);
  }
  const differs = Object.keys(facts).filter((name) => facts[name] !== now[name]);
  if (differs.length === 0) return undefined;
  const detail = own(
    differs.map((name) => `${name}: ${String(facts[name])} then, ${String(now[name])} now.`).join(' '),
  );
  return { outcome: 'not-sent', reason: 'changed-since', detail };
}

/** Ledger, request, ledger. Between the two entries lies the only moment in which a change leaves this machine. */
async function send(parts: ChangeParts, work: Work, run: Run): Promise<Ended> {
  const { opens = [], closes = [] } = work.prepared.effects(looseOn(parts.ledger, run.server));
  // What was set before this is what undoing it goes back to.
  const remembered = parts.ledger.last(work.about.command, run.server.id)?.options;
  try {
    const effects = {
      ...(opens.length === 0 ? {} : { opens: [...opens] }),
      ...(closes.length === 0 ? {} : { closes: [...closes] }),
    };
    await parts.ledger.append([
      { ...entryOf(work, run), kind: 'intent', owner: parts.owner, ...undoing(work), ...effects },
    ]);
  } catch (error) {
    // A run that has an intent or an outcome already: its card is settled from the ledger.
    if (!(error instanceof LedgerUnavailable)) throw error;
    parts.log.error({ run: run.run, problem: String(error) }, 'the intent could not be recorded; nothing was sent');
    return end(parts, work, run, { outcome: 'unavailable', reason: 'ledger-unavailable' });
  }
  const call: Call = (endpoint, input) =>
    parts.panel.call(endpoint, input, { kind: 'person', id: work.about.actor.id });
  let answer: Answer<Done>;
  try {
    answer = await work.prepared.attempt(run.server, call, remembered);
  } catch (error) {
    // Whatever went wrong here went wrong after the intent: nobody can say whether the request left.
    parts.log.error({ run: run.run, problem: String(error) }, 'a change ended with a fault of the bot');
    answer = { kind: 'unknown', reason: 'bot-stopped' };
  }
  const due = work.prepared.remind === undefined ? undefined : parts.now() + work.prepared.remind;
  return end(parts, work, run, endOf(answer, due), started(parts, work, run, answer));
}

/** What is loose on a server, and what may be: nobody knows whether it was done. */
function looseOn(ledger: Parts['ledger'], { id }: Server): string[] {
  const doubtful = ledger.unknown().filter(({ intent }) => intent?.server?.id === id);
  return [
    ...ledger.loose().flatMap(({ what, server }) => (server.id === id ? [what] : [])),
    ...doubtful.flatMap(({ intent }) => intent?.opens ?? []),
  ];
}

/** What is to be followed from here on, in the same append as the outcome. */
function started(parts: ChangeParts, work: Work, run: Run, answer: Answer<Done>): NewRunEntry[] {
  const job = answer.kind === 'yes' ? answer.data?.job : undefined;
  const deadline = job === undefined ? undefined : parts.followUps.deadline(job.follow);
  if (job === undefined || deadline === undefined) return [];
  return [
    {
      ...entryOf(work, run),
      kind: 'follow-up',
      step: 'started',
      follow: job.follow,
      job: job.id,
      deadline: new Date(deadline).toISOString(),
    },
  ];
}

type End = Omit<Ended, 'run' | 'server'> & Pick<Done, 'undo'> & { remind?: string };

/** `due`: when the actor wants to be reminded of a yes, in ms. */
function endOf(answer: Answer<Done>, due: number | undefined): End {
  if (answer.kind === 'yes') {
    const remind = due === undefined ? {} : { remind: new Date(due).toISOString() };
    if (answer.data === undefined) return { outcome: 'accepted', ...remind };
    const { outcome, says, undo } = answer.data;
    return { outcome, detail: says, ...remind, ...(undo === undefined ? {} : { undo }) };
  }
  return {
    outcome: outcomeOf[answer.kind],
    reason: answer.reason,
    ...('said' in answer && answer.said !== undefined ? { said: answer.said } : {}),
    ...(answer.reason === 'server-error' && answer.status !== undefined
      ? { detail: own(`It answered ${answer.status}.`) }
      : {}),
  };
}

/** Nothing is sent when what is set now cannot be read. */
export function lookFailed(error: unknown): End {
  if (!(error instanceof ReadFailed)) throw error;
  const { answer } = error;
  const said = 'said' in answer ? answer.said : undefined;
  return {
    outcome: 'not-sent',
    reason: 'look-failed',
    detail: own(`${reasons[answer.reason].why} ${afterRead(answer)}`),
    ...(said === undefined ? {} : { said }),
  };
}

/** What all entries of a run share. */
export const entryOf = (
  work: Pick<Work, 'about' | 'options' | 'place'>,
  { run, server }: Run,
): Omit<NewRunEntry, 'kind'> => ({
  run,
  actor: work.about.actor,
  command: work.about.command,
  options: work.options,
  server: kept(server),
  place: work.place,
});

/** Records how a run ended. What the panel did stays true when the ledger cannot be written: then the entry is owed. */
export async function end(
  parts: Pick<Parts, 'ledger' | 'log'> & { owed: NewRunEntry[] },
  work: Pick<Work, 'about' | 'options' | 'place'>,
  run: Run,
  how: End,
  more: readonly NewRunEntry[] = [],
): Promise<Ended> {
  const { outcome, reason, said, detail, undo, remind } = how;
  const entry: NewRunEntry = {
    ...entryOf(work, run),
    kind: 'outcome',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(said === undefined ? {} : { said }),
    ...(detail === undefined ? {} : { detail: detail.markup }),
    ...(undo === undefined ? {} : { undo }),
    ...(remind === undefined ? {} : { remind }),
  };
  try {
    await parts.ledger.append([entry, ...more]);
  } catch (error) {
    parts.log.error({ run: run.run, outcome, problem: String(error) }, 'an outcome could not be recorded yet');
    if (error instanceof LedgerUnavailable) parts.owed.push(entry, ...more);
    // It has ended already, otherwise: the card says what the ledger says.
    const ended = parts.ledger.runs(stemOfRun(run.run)).find((state) => state.run === run.run);
    if (ended?.outcome !== undefined) return endedOf(ended, run.server);
  }
  return { run: run.run, server: run.server, ...how };
}
