import type { RunEntry } from '../ledger/entry.ts';
import type { Records, RunState } from '../ledger/ledger.ts';
import type { RawOptions } from '../outcome.ts';

type Asked = Pick<Records, 'outcomes' | 'closed' | 'runs'>;

/** The same, or nobody saw the end of what the panel said yes to. */
export const mayBeDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  resolved?.happened ??
  ((outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted') && followUp?.ended?.end !== 'failed');

/** The panel said yes, and it did not come to nothing since; or somebody knows that what was unknown did happen. */
export const isDone = (state: RunState): boolean => mayBeDone(state) && !isDoubtful(state);

/** The panel said yes, but nobody knows yet that it is done. */
export const isPending = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && outcome?.outcome === 'accepted' && followUp?.ended?.end !== 'finished';

/** Nobody knows how it ended, and nobody has said so since. */
export const isDoubtful = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && (outcome?.outcome === 'unknown' || followUp?.ended?.end === 'unknown');

/** How many of a list in the order of the ledger are up to this one. */
function upTo<T>(list: readonly T[], seqAt: (each: T) => number, seq: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = list[middle];
    if (each !== undefined && seqAt(each) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was done on the same server after a run, the oldest first; of outcomes that fit, where it is said which. */
function* after(
  records: Asked,
  { outcome }: RunState,
  fits: (entry: RunEntry) => boolean = () => true,
): Generator<RunState> {
  if (outcome?.server === undefined) return;
  const outcomes = records.outcomes(outcome.server.id);
  for (let at = upTo(outcomes, (entry) => entry.seq, outcome.seq); at < outcomes.length; at += 1) {
    const entry = outcomes[at];
    if (entry === undefined || !fits(entry)) continue;
    const state = find(records, entry.run);
    if (state !== undefined && isDone(state)) yield state;
  }
}

export const find = (records: Pick<Records, 'runs'>, run: string): RunState | undefined =>
  records.runs(run.slice(0, run.lastIndexOf('.'))).find((state) => state.run === run);

/** The outcome of the last run of the same command on the same server that was done before this entry. */
export function doneBefore(records: Asked, { command, server, seq }: RunEntry): RunEntry | undefined {
  if (server === undefined) return undefined;
  return records.outcomes(server.id).findLast((entry) => {
    if (entry.command !== command || entry.seq >= seq) return false;
    const state = find(records, entry.run);
    return state !== undefined && isDone(state);
  });
}

/** The first of the later runs with which all of these were in order. */
function closer(records: Asked, { outcome }: RunState, whats: readonly string[]): RunState | undefined {
  const server = outcome?.server?.id;
  if (outcome === undefined || server === undefined) return undefined;
  const firsts = whats.map((what) => {
    const closed = records.closed(what, server);
    return closed[upTo(closed, (each) => each.outcome.seq, outcome.seq)]?.outcome;
  });
  const last = firsts.toSorted((a, b) => (a?.seq ?? 0) - (b?.seq ?? 0)).at(-1);
  return last === undefined || firsts.includes(undefined) ? undefined : find(records, last.run);
}

const pieces = (value: unknown): string[] => String(value).split(',');

/** Whether what these options ask for is among what those did, but for the server. */
const covers = (done: RawOptions, asked: RawOptions): boolean =>
  Object.entries(asked).every(
    ([name, value]) => name === 'server' || pieces(value).every((piece) => pieces(done[name]).includes(piece)),
  );

function inverse(records: Asked, state: RunState): RunState | undefined {
  const { undo } = state;
  if (undo === undefined) return undefined;
  const fits = ({ command, options }: RunEntry): boolean => command === undo.command && covers(options, undo.options);
  for (const later of after(records, state, fits)) return later;
  return undefined;
}

/** What an option says of how it is done, and not of what is set. */
const manners = ['server', 'sync', 'reason', 'remind'];

/** Whether a run's command sets a value: then it is undone by that very command. */
const setsValue = ({ outcome, undo }: RunState): boolean => undo !== undefined && undo.command === outcome?.command;

/** The first later run that set anew what this one had set: what was before this one is not what to go back to, nor what to apply. */
export function replaced(records: Asked, state: RunState): RunState | undefined {
  const { outcome } = state;
  if (outcome === undefined) return undefined;
  const set = Object.entries(outcome.options).filter(([name]) => !manners.includes(name));
  const fits = ({ command, options }: RunEntry): boolean =>
    command === outcome.command && set.some(([name, value]) => options[name] !== value);
  // The first of all has no undo: then the later one tells.
  for (const later of after(records, state, fits)) if (setsValue(state) || setsValue(later)) return later;
  return undefined;
}

const seqOf = (state: RunState | undefined): number => state?.outcome?.seq ?? Number.POSITIVE_INFINITY;

/** What is stored on a server and not applied. */
const isUnapplied = (what: string): boolean => what.startsWith('unapplied ');

/** The run that took another back: it did what undoes it, or put in order all that it had left, but for applying it. */
export function takenBack(records: Asked, state: RunState): RunState | undefined {
  const left = (state.intent?.opens ?? []).filter((what) => !isUnapplied(what));
  const [did, ordered] = [inverse(records, state), closer(records, state, left)];
  return seqOf(did) <= seqOf(ordered) ? did : ordered;
}

/** The run that applied what another had only stored. */
export const applied = (records: Asked, state: RunState): RunState | undefined =>
  closer(records, state, (state.intent?.opens ?? []).filter(isUnapplied));

/** Whether something of what a run left on its server is still so, and nobody took it back meanwhile. */
export function isStillLoose(records: Asked & Pick<Records, 'loose'>, state: RunState): boolean {
  const server = state.outcome?.server?.id;
  const opens = state.intent?.opens ?? [];
  const loose = records.loose().some((end) => end.server.id === server && opens.includes(end.what));
  return loose && mayBeDone(state) && takenBack(records, state) === undefined;
}
