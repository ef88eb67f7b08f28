import type { Records, RunState } from '../ledger/ledger.ts';
import type { RawOptions } from '../outcome.ts';

type Asked = Pick<Records, 'entries' | 'runs'>;

/** The panel said yes, and it did not come to nothing since; or somebody knows that what was unknown did happen. */
export const isDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  resolved?.happened ??
  ((outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted') && followUp?.ended?.end !== 'failed');

/** Nobody knows how it ended, and nobody has said so since. */
export const isDoubtful = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && (outcome?.outcome === 'unknown' || followUp?.ended?.end === 'unknown');

/** What was done on the same server after a run, the oldest first. */
function* after(records: Asked, { outcome }: RunState): Generator<RunState> {
  if (outcome?.server === undefined) return;
  const entries = records.entries();
  // The list is in order, and an entry's place in it is its number unless some are left out before.
  let at = Math.min(outcome.seq, entries.length);
  while (at > 0 && (entries[at - 1]?.seq ?? 0) > outcome.seq) at -= 1;
  for (; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined || entry.kind !== 'outcome' || entry.server?.id !== outcome.server.id) continue;
    if (entry.seq <= outcome.seq) continue;
    const state = find(records, entry.run);
    if (state !== undefined && isDone(state)) yield state;
  }
}

export const find = (records: Pick<Records, 'runs'>, run: string): RunState | undefined =>
  records.runs(run.slice(0, run.lastIndexOf('.'))).find((state) => state.run === run);

/** The first of the later runs with which all of these were in order. */
function closer(records: Asked, state: RunState, whats: readonly string[]): RunState | undefined {
  const left = new Set(whats);
  if (left.size === 0) return undefined;
  for (const later of after(records, state)) {
    for (const what of later.intent?.closes ?? []) left.delete(what);
    if (left.size === 0) return later;
  }
  return undefined;
}

const pieces = (value: unknown): string[] => String(value).split(',');

/** Whether what these options ask for is among what those did, but for the server. */
const covers = (done: RawOptions, asked: RawOptions): boolean =>
  Object.entries(asked).every(
    ([name, value]) => name === 'server' || pieces(value).every((piece) => pieces(done[name]).includes(piece)),
  );

function inverse(records: Asked, state: RunState): RunState | undefined {
  const undo = state.outcome?.undo;
  if (undo === undefined) return undefined;
  for (const later of after(records, state)) {
    const { outcome } = later;
    if (outcome?.command === undo.command && covers(outcome.options, undo.options)) return later;
  }
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
  return loose && isDone(state) && takenBack(records, state) === undefined;
}
