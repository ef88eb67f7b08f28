import type { RawOptions } from '../outcome.ts';
import type { Records } from './book.ts';
import { isUnapplied, upTo, writeEffect } from './effects.ts';
import type { Kind, RunEntry } from './entry.ts';
import { invocationOf } from './ids.ts';
import { isDone, isRetryable, mayBeDone, type RunState } from './state.ts';

type Asked = Pick<Records, 'outcomes' | 'closed' | 'run'>;
type Outcome = Kind<'outcome'>;

/** What was done on the same server after a run, the oldest first; of outcomes that fit. */
function* after(records: Asked, { outcome }: RunState, fits: (entry: Outcome) => boolean): Generator<RunState> {
  if (outcome?.server === undefined) return;
  const outcomes = records.outcomes(outcome.server.id);
  for (let at = upTo(outcomes, (entry) => entry.seq, outcome.seq); at < outcomes.length; at += 1) {
    const entry = outcomes[at];
    if (entry === undefined || !fits(entry)) continue;
    const state = records.run(entry.run);
    if (state !== undefined && isDone(state)) yield state;
  }
}

/** The outcome of the last run of the same command on the same server that was done before this entry. */
export function doneBefore(
  records: Asked,
  { command, server, seq }: Pick<Outcome, 'command' | 'server' | 'seq'>,
): Outcome | undefined {
  if (server === undefined) return undefined;
  return records.outcomes(server.id).findLast((entry) => {
    if (entry.command !== command || entry.seq >= seq) return false;
    const state = records.run(entry.run);
    return state !== undefined && isDone(state);
  });
}

/** The first of the later runs with which all of these effects were closed. */
function closer(records: Asked, { outcome }: RunState, effects: readonly string[]): RunState | undefined {
  const server = outcome?.server?.id;
  if (outcome === undefined || server === undefined) return undefined;
  const firsts = effects.map((effect) => {
    const closed = records.closed(effect, server);
    return closed[upTo(closed, (each) => each.outcome.seq, outcome.seq)]?.outcome;
  });
  const last = firsts.toSorted((a, b) => (a?.seq ?? 0) - (b?.seq ?? 0)).at(-1);
  return last === undefined || firsts.includes(undefined) ? undefined : records.run(last.run);
}

const pieces = (value: unknown): string[] => String(value).split(',');

/** What an option says beside what is asked for: of whom, and what people are told. */
const asides = ['server', 'reason', 'remind'];

/** Whether what these options ask for is among what those did, whatever the server and the words. */
const covers = (done: RawOptions, asked: RawOptions): boolean =>
  Object.entries(asked).every(
    ([name, value]) => asides.includes(name) || pieces(value).every((piece) => pieces(done[name]).includes(piece)),
  );

function inverse(records: Asked, state: RunState): RunState | undefined {
  const { undo } = state;
  if (undo === undefined) return undefined;
  const fits = ({ command, options }: Outcome): boolean => command === undo.command && covers(options, undo.options);
  for (const later of after(records, state, fits)) return later;
  return undefined;
}

/** The run that did later what a run did not send. */
export function doneSince(records: Asked, state: RunState): RunState | undefined {
  const { outcome } = state;
  if (outcome === undefined || !isRetryable(state)) return undefined;
  const fits = ({ command, options }: Outcome): boolean =>
    command === outcome.command && covers(options, outcome.options);
  for (const later of after(records, state, fits)) return later;
  return undefined;
}

/** What an option says of how it is done, and not of what is set. */
const manners = [...asides, 'sync'];

/** Whether a run's command sets a value: then it is undone by that very command. */
const setsValue = ({ outcome, undo }: RunState): boolean => undo !== undefined && undo.command === outcome?.command;

/** The first later run that set to another value what this one had set: what was before this one is not what to go back to, nor what to apply. */
export function replaced(records: Asked, state: RunState): RunState | undefined {
  const { outcome } = state;
  if (outcome === undefined) return undefined;
  const set = Object.entries(outcome.options).filter(([name]) => !manners.includes(name));
  const fits = ({ command, options }: Outcome): boolean =>
    command === outcome.command && set.some(([name, value]) => options[name] !== value);
  // The first of all has no undo: then the later one tells.
  for (const later of after(records, state, fits)) if (setsValue(state) || setsValue(later)) return later;
  return undefined;
}

const seqOf = (state: RunState | undefined): number => state?.outcome?.seq ?? Number.POSITIVE_INFINITY;

/** The run that took another back: it did what undoes it, or closed all that it had opened, but for applying it. */
export function takenBack(records: Asked, state: RunState): RunState | undefined {
  const left = (state.intent?.opens ?? []).filter((effect) => !isUnapplied(effect));
  const [did, ordered] = [inverse(records, state), closer(records, state, left)];
  return seqOf(did) <= seqOf(ordered) ? did : ordered;
}

/** The run that applied what another had only stored. */
export const applied = (records: Asked, state: RunState): RunState | undefined =>
  closer(records, state, (state.intent?.opens ?? []).filter(isUnapplied));

/** What was only stored, and is still what is to be applied. */
export const isStored = (records: Asked, state: RunState): boolean =>
  state.outcome?.outcome === 'accepted' &&
  takenBack(records, state) === undefined &&
  replaced(records, state) === undefined;

/** Whether there is something that taking a run back would do. */
export const isUndoable = (records: Asked, state: RunState): boolean =>
  isDone(state) &&
  state.undo !== undefined &&
  takenBack(records, state) === undefined &&
  replaced(records, state) === undefined;

/** Whether something of what a run left on its server is still so, and nobody took it back meanwhile. */
export function isStillOpen(records: Asked & Pick<Records, 'effects'>, state: RunState): boolean {
  const server = state.outcome?.server?.id;
  const opens = state.intent?.opens ?? [];
  const open = records.effects().some((each) => each.server.id === server && opens.includes(writeEffect(each.effect)));
  return open && mayBeDone(state) && takenBack(records, state) === undefined;
}

/** Whether this was taken for done, and came to nothing, or nobody knows. */
const isRevoked = (state: RunState): boolean => state.followUp?.ended !== undefined && !isDone(state);

/** So many earlier changes of a server are looked at: what is older keeps a button that finds nothing left to do. */
const farthest = 100;

/** Earlier runs on the same server of which this one is what became of them; or was, until it came to nothing. */
function related(records: Asked, by: RunState): string[] {
  const { outcome, intent } = by;
  if (outcome?.server === undefined || !(isDone(by) || isRevoked(by))) return [];
  const outcomes = records.outcomes(outcome.server.id);
  const at = upTo(outcomes, (entry) => entry.seq, outcome.seq - 1);
  return outcomes.slice(Math.max(0, at - farthest), at).flatMap((entry) => {
    const state = records.run(entry.run);
    if (state === undefined) return [];
    const closes = state.intent?.opens?.some((effect) => intent?.closes?.includes(effect)) ?? false;
    const isSame = entry.command === outcome.command && (by.undo?.command === outcome.command || isRetryable(state));
    if (!closes && !isSame && state.undo?.command !== outcome.command) return [];
    // The first that takes it back counts: what came to nothing was that, where now there is none, or a later one.
    const isMine = isDone(by)
      ? [takenBack, applied, replaced, doneSince].some((since) => since(records, state)?.run === by.run)
      : (mayBeDone(state) || isRetryable(state)) && seqOf(takenBack(records, state)) > outcome.seq;
    return isMine ? [entry.run] : [];
  });
}

/** Whether this entry says how a run ended: at first, or later. */
const saysTheEnd = (entry: RunEntry): boolean =>
  entry.kind === 'outcome' || entry.kind === 'resolved' || (entry.kind === 'follow-up' && entry.step === 'ended');

/** The invocations of which an entry changes what there is to say: its own, and earlier ones of which its run is what became of them. */
export function changedBy(records: Asked, entry: RunEntry): string[] {
  if (entry.kind === 'denied') return [];
  const state = saysTheEnd(entry) ? records.run(entry.run) : undefined;
  const others = state === undefined ? [] : related(records, state);
  return [...new Set([entry.run, ...others].map(invocationOf))];
}
