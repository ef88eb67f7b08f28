import { type Card, type Markup, md, moment, own } from '../card.ts';
import { type Call, type Done, type PreparedChange, ReadFailed } from '../command.ts';
import type { NewEntry } from '../ledger/entry.ts';
import {
  type Answer,
  afterRead,
  LedgerUnavailable,
  outcomeOf,
  type RawOptions,
  RedisUnavailable,
  reasons,
  type Server,
} from '../outcome.ts';
import { type About, type Ended, endCard, typedName, workingCard } from './cards.ts';
import { kept, type Parts } from './parts.ts';
import { reader } from './read.ts';
import { endedOf, stemOfRun } from './settle.ts';

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
  place: NewEntry['place'];
  options: RawOptions;
  prepared: PreparedChange;
  runs: readonly Run[];
  /** Said on the card beside the outcome. */
  extra?: readonly Markup[];
  show(card: Card): Promise<void>;
}

type ChangeParts = Pick<Parts, 'ledger' | 'locks' | 'panel' | 'log' | 'now' | 'owner' | 'followUps'> & {
  owed: NewEntry[];
};

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
  await work.show(endCard(work.about, ended, work.prepared.apply !== undefined, work.extra));
  // Not waited for: what is followed stands in the ledger, and is put into the queue again and again.
  void parts.followUps.reconcile();
}

/** Only for the eye: the runs do not wait for Discord to take it. */
function showProgress(parts: ChangeParts, work: Work, ended: readonly Ended[]): void {
  const { body } = endCard(work.about, ended, false);
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
  if ('by' in lease) {
    const { who, command, run: other, since } = lease.by;
    const detail = md`${who} began ${typedName(command)} ${moment(since)}, run ${other}.`;
    return end(parts, work, run, { outcome: 'blocked', reason: 'server-busy', detail });
  }
  try {
    const hold = await changed(parts, work, run);
    if (hold !== undefined) return await end(parts, work, run, hold);
    return lease.held.lost()
      ? await end(parts, work, run, { outcome: 'unavailable', reason: 'redis-unavailable' })
      : await send(parts, work, run);
  } finally {
    await lease.held.release();
  }
}

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
  try {
    await parts.ledger.append([{ ...entryOf(work, run), kind: 'intent', owner: parts.owner }]);
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
    answer = await work.prepared.attempt(run.server, call);
  } catch (error) {
    // Whatever went wrong here went wrong after the intent: nobody can say whether the request left.
    parts.log.error({ run: run.run, problem: String(error) }, 'a change ended with a fault of the bot');
    answer = { kind: 'unknown', reason: 'bot-stopped' };
  }
  return end(parts, work, run, endOf(answer), started(parts, work, run, answer));
}

/** What is to be followed from here on, in the same append as the outcome. */
function started(parts: ChangeParts, work: Work, run: Run, answer: Answer<Done>): NewEntry[] {
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

type End = Omit<Ended, 'run' | 'server'>;

function endOf(answer: Answer<Done>): End {
  if (answer.kind === 'yes')
    return answer.data === undefined
      ? { outcome: 'accepted' }
      : { outcome: answer.data.outcome, detail: answer.data.says };
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
): Omit<NewEntry, 'kind'> => ({
  run,
  actor: work.about.actor,
  command: work.about.command,
  options: work.options,
  server: kept(server),
  place: work.place,
});

/** Records how a run ended. What the panel did stays true when the ledger cannot be written: then the entry is owed. */
export async function end(
  parts: Pick<Parts, 'ledger' | 'log'> & { owed: NewEntry[] },
  work: Pick<Work, 'about' | 'options' | 'place'>,
  run: Run,
  how: End,
  more: readonly NewEntry[] = [],
): Promise<Ended> {
  const { outcome, reason, said, detail } = how;
  const entry: NewEntry = {
    ...entryOf(work, run),
    kind: 'outcome',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(said === undefined ? {} : { said }),
    ...(detail === undefined ? {} : { detail: detail.markup }),
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
