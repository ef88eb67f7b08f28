import type { RawOptions } from '../outcome.ts';
import type { Records } from './book.ts';
import { covers, doneAfter, incidental } from './covers.ts';
import { isTakenBack, isUnapplied, writeEffect } from './effects.ts';
import type { Outcomes } from './entries.ts';
import type { Kind, RunEntry } from './entry.ts';
import { invocationOf } from './ids.ts';
import { isSameRules, type Kept } from './kept.ts';
import { isDone, isRetryable, isSettled, isUnknown, mayBeDone, type RunState, warningsOf } from './state.ts';

type Asked = Pick<Records, 'outcomes' | 'closed' | 'run'>;
type Outcome = Kind<'outcome'>;

/** Later runs on the same server whose outcome fits, oldest first. */
function* after(records: Asked, { outcome }: RunState, fits: (entry: Outcome) => boolean): Generator<RunState> {
  if (outcome?.server === undefined) return;
  const outcomes = records.outcomes(outcome.server.id);
  for (let at = outcomes.upTo(outcome.seq); at < outcomes.length; at += 1) {
    const entry = outcomes.at(at);
    if (entry === undefined || !fits(entry)) continue;
    const state = records.run(entry.run);
    if (state !== undefined && isDone(state)) yield state;
  }
}

/** The last run of the same command on the same server that succeeded before this entry. */
function doneBefore(
  records: Asked,
  { command, server, seq }: Pick<Outcome, 'command' | 'server' | 'seq'>,
): Outcome | undefined {
  if (server === undefined) return undefined;
  const outcomes = records.outcomes(server.id);
  for (let at = outcomes.upTo(seq - 1) - 1; at >= 0; at -= 1) {
    const entry = outcomes.at(at);
    const state = entry?.command === command ? records.run(entry.run) : undefined;
    if (state !== undefined && isDone(state)) return entry;
  }
  return undefined;
}

/** What is known of earlier runs on a server before a change of it, or before the entry `seq`. */
export function pastOf(
  records: Asked,
  {
    command,
    server,
    kept,
    seq = Number.POSITIVE_INFINITY,
  }: Pick<Outcome, 'command'> & Partial<Pick<Outcome, 'server' | 'seq'>> & { kept: Kept | undefined },
): { remembered?: RawOptions; gave?: RawOptions } {
  if (server === undefined) return {};
  return {
    remembered: doneBefore(records, { command, server, seq })?.options,
    gave: kept && gaveBefore(records, { server, seq }, kept)?.options,
  };
}

/** The last run on the same server after which exactly these rules were read. */
export function gaveBefore(
  records: Asked,
  { server, seq }: Required<Pick<Outcome, 'server'>> & Pick<Outcome, 'seq'>,
  kept: Kept,
): Outcome | undefined {
  return earlier(records.outcomes(server.id), seq).findLast(({ run, outcome }) => {
    // What a person says happened was not read right after it.
    const rules = taken.has(outcome) ? records.run(run)?.readBack?.rules : undefined;
    return rules !== undefined && isSameRules(rules, kept);
  });
}

/** The panel took the change. */
const taken = new Set<Outcome['outcome']>(['succeeded', 'accepted']);

/** The first later run by which all these effects were closed. */
function closer(records: Asked, { outcome }: RunState, effects: readonly string[]): RunState | undefined {
  const server = outcome?.server?.id;
  if (outcome === undefined || server === undefined) return undefined;
  const firsts = effects.map((effect) => {
    const closed = records.closed(effect, server);
    return closed.at(closed.upTo(outcome.seq));
  });
  const last = firsts.toSorted((a, b) => (a?.seq ?? 0) - (b?.seq ?? 0)).at(-1);
  return last === undefined || firsts.includes(undefined) ? undefined : records.run(last.run);
}

/** The first later run that also removed all rules there, so that the rules before it are not those to set again. */
function removedAgain(records: Asked, { intent, ...state }: RunState): RunState | undefined {
  const kept = intent?.kept;
  if (kept === undefined) return undefined;
  for (const later of after(records, state, () => true))
    if (later.intent?.kept?.interface === kept.interface) return later;
  return undefined;
}

function inverse(records: Asked, state: RunState): RunState | undefined {
  const { undo } = state;
  if (undo === undefined) return undefined;
  const kept = state.intent?.kept;
  if (kept !== undefined) {
    // The rulesets may have been changed since: what was read after it tells.
    const later = removedAgain(records, state);
    return later?.readBack !== undefined && isSameRules(later.readBack.rules, kept) ? later : undefined;
  }
  const fits = ({ command, options }: Outcome): boolean => command === undo.command && covers(options, undo.options);
  for (const later of after(records, state, fits)) return later;
  return undefined;
}

/** The later run that did what this one did not send. */
export function doneSince(records: Asked, state: RunState): RunState | undefined {
  const { outcome } = state;
  if (outcome === undefined || !isRetryable(state)) return undefined;
  const fits = ({ command, options }: Outcome): boolean =>
    command === outcome.command && covers(options, outcome.options);
  for (const later of after(records, state, fits)) return later;
  return undefined;
}

/** One after the other: the servers that are left, once it is known that this one was done, until somebody goes on. */
export function leftInTurn(records: Asked, state: RunState): string[] {
  const { asked, outcome } = state;
  const left = asked?.rest?.split(',') ?? [];
  if (outcome === undefined || !isDone(state) || !isSettled(state)) return [];
  const next = { ...outcome, server: { id: Number(left[0]) } };
  return doneAfter(records, next) === undefined ? left : [];
}

/** Options for how something is done, not for what value is set. */
const modifiers = [...incidental, 'sync'];

/** Whether a run's command sets a value: then it is undone by the same command. */
const setsValue = ({ outcome, undo }: RunState): boolean => undo !== undefined && undo.command === outcome?.command;

/** The first later run that set another value: this run's earlier one is then no longer to be restored. */
export function replaced(records: Asked, state: RunState): RunState | undefined {
  const { outcome } = state;
  if (outcome === undefined) return undefined;
  if (state.intent?.kept !== undefined) return removedAgain(records, state);
  const set = Object.entries(outcome.options).filter(([name]) => !modifiers.includes(name));
  const fits = ({ command, options }: Outcome): boolean =>
    command === outcome.command && set.some(([name, value]) => options[name] !== value);
  // The very first run has no undo, so the later one decides.
  for (const later of after(records, state, fits)) if (setsValue(state) || setsValue(later)) return later;
  return undefined;
}

const seqOf = (state: RunState | undefined): number => state?.outcome?.seq ?? Number.POSITIVE_INFINITY;

/** The run that undid another: by its undo, or by closing everything it opened other than by applying it. */
export function takenBack(records: Asked, state: RunState): RunState | undefined {
  const left = (state.intent?.opens ?? []).filter(isTakenBack);
  const [undoing, closing] = [inverse(records, state), closer(records, state, left)];
  return seqOf(undoing) <= seqOf(closing) ? undoing : closing;
}

/** The run that applied what another had only stored. */
export const applied = (records: Asked, state: RunState): RunState | undefined =>
  closer(records, state, (state.intent?.opens ?? []).filter(isUnapplied));

/** Whether a change is only stored and still waits to be applied. */
export const isStored = (records: Asked, state: RunState): boolean =>
  state.outcome?.outcome === 'accepted' &&
  takenBack(records, state) === undefined &&
  replaced(records, state) === undefined;

/** Whether undoing a run would change anything. */
export const isUndoable = (records: Asked, state: RunState): boolean =>
  isDone(state) &&
  state.undo !== undefined &&
  takenBack(records, state) === undefined &&
  replaced(records, state) === undefined;

/** Whether anything a run left on its server is still open, and nobody has undone it. */
export function isStillOpen(records: Asked & Pick<Records, 'effects'>, state: RunState): boolean {
  const server = state.outcome?.server?.id;
  const opens = state.intent?.opens ?? [];
  if (server === undefined || opens.length === 0) return false;
  const open = records.effects(server).some(({ effect }) => opens.includes(writeEffect(effect)));
  return open && mayBeDone(state) && takenBack(records, state) === undefined;
}

/** Whether this counted as done until its job failed or was lost. */
const isRevoked = (state: RunState): boolean => state.followUp?.ended !== undefined && !isDone(state);

/** How many earlier changes of a server are checked. Older cards keep a button that finds nothing to do. */
const lookback = 100;

/** The last of these, or the last before the entry `seq`. */
function earlier(outcomes: Outcomes, seq = Number.POSITIVE_INFINITY): Outcome[] {
  const to = outcomes.upTo(seq - 1);
  const some: Outcome[] = [];
  for (let at = Math.max(0, to - lookback); at < to; at += 1) {
    const outcome = outcomes.at(at);
    if (outcome !== undefined) some.push(outcome);
  }
  return some;
}

/** Earlier runs on the same server whose card this run changes, or changed until its job failed. */
function related(records: Asked & Pick<Records, 'opened'>, by: RunState): string[] {
  const { outcome, intent } = by;
  if (outcome?.server === undefined || !(isDone(by) || isRevoked(by))) return [];
  const { command, server, seq } = outcome;
  const { closes = [], kept } = intent ?? {};
  const setsAgain = by.undo?.command === command;
  // Most are of no concern, and need not be read whole.
  const isMaybe = (entry: Outcome): boolean =>
    entry.outcome === 'unknown' ||
    entry.undo?.command === command ||
    kept !== undefined ||
    (entry.command === command && (setsAgain || !taken.has(entry.outcome)));
  const opened = closes.flatMap((effect) => earlier(records.opened(effect, server.id), seq));
  const maybe = [...earlier(records.outcomes(server.id), seq).filter(isMaybe), ...opened];
  return [...new Set(maybe.map(({ run }) => run))].filter((run) => {
    const state = records.run(run);
    if (state === undefined) return false;
    const isClosed = state.intent?.opens?.some((effect) => closes.includes(effect)) ?? false;
    const isSame = state.outcome?.command === command && (setsAgain || isRetryable(state));
    const isAgain = state.intent?.kept !== undefined && state.intent.kept.interface === kept?.interface;
    if (!isClosed && !isSame && !isAgain && state.undo?.command !== command) return false;
    // The first run that undoes it counts. If that one failed, there is now none, or a later one.
    return isDone(by)
      ? [takenBack, applied, replaced, doneSince].some((since) => since(records, state)?.run === by.run)
      : (mayBeDone(state) || isRetryable(state)) && seqOf(takenBack(records, state)) > seq;
  });
}

/** Whether this entry changes what other cards say of its run: how it ended, and where its card is. */
const concernsOthers = (entry: RunEntry): boolean =>
  entry.kind === 'outcome' ||
  entry.kind === 'resolved' ||
  entry.kind === 'read-back' ||
  (entry.kind === 'follow-up' && ['started', 'moved', 'ended'].includes(entry.step));

/** Later runs on the same server whose card warns of this run. */
function warned(records: Asked & Pick<Records, 'open' | 'runs'>, { run, outcome }: RunState): string[] {
  if (outcome?.server === undefined) return [];
  const { id } = outcome.server;
  const ended = earlier(records.outcomes(id));
  const open = records.open().filter(({ asked, intent }) => (intent ?? asked)?.server?.id === id);
  const ids = new Set([...ended, ...open].map((each) => invocationOf(each.run)));
  const warns = (state: RunState): boolean => warningsOf(state).some((each) => each.run === run);
  return [...ids].flatMap((of) => records.runs(of).filter(warns)).map((state) => state.run);
}

/** What an earlier run left on the server of a later one, and the later one ended: taken back, or applied. */
export interface Ended {
  state: RunState;
  how: 'taken-back' | 'applied';
}

/** Earlier runs whose effects this run ended, oldest first. One that it was to undo is not among them. */
export function endedBy(records: Asked, by: RunState): Ended[] {
  const { outcome, intent } = by;
  const closes = intent?.closes ?? [];
  if (outcome?.server === undefined || closes.length === 0 || !isDone(by)) return [];
  return earlier(records.outcomes(outcome.server.id), outcome.seq).flatMap(({ run }): Ended[] => {
    const state = records.run(run);
    const opened = state?.intent?.opens?.some((effect) => closes.includes(effect)) ?? false;
    if (
      state === undefined ||
      !opened ||
      !(mayBeDone(state) || isUnknown(state)) ||
      invocationOf(run) === intent?.undoes
    )
      return [];
    if (takenBack(records, state)?.run === by.run) return [{ state, how: 'taken-back' }];
    return applied(records, state)?.run === by.run ? [{ state, how: 'applied' }] : [];
  });
}

/** Later runs whose cards say that they ended what this one left, which may not have happened. */
const enders = (records: Asked, state: RunState): string[] =>
  [takenBack, applied].flatMap((since) => since(records, state)?.run ?? []);

/** The next runs that closed what this one closes: which of them ended it depends on whether this one was done. */
const nextClosers = (records: Asked, { outcome, intent }: RunState): string[] =>
  (intent?.closes ?? []).flatMap((effect) => {
    const closed = records.closed(effect, outcome?.server?.id ?? 0);
    return closed.at(closed.upTo(outcome?.seq ?? 0))?.run ?? [];
  });

/** Invocations whose cards an entry changes: its own, earlier ones that its run affects, and later ones that warn of it. */
export function changedBy(records: Asked & Pick<Records, 'opened' | 'open' | 'runs'>, entry: RunEntry): string[] {
  if (entry.kind === 'denied') return [];
  const state = concernsOthers(entry) ? records.run(entry.run) : undefined;
  const others =
    state === undefined
      ? []
      : [
          ...related(records, state),
          ...(isOver(entry) ? [...warned(records, state), ...nextClosers(records, state)] : []),
          ...(entry.kind === 'resolved' ? enders(records, state) : []),
        ];
  return [...new Set([entry.run, ...others].map(invocationOf))];
}

/** Whether what was unknown or running may be known from here on. */
const isOver = ({ kind, ...entry }: RunEntry): boolean =>
  kind === 'resolved' || (kind === 'follow-up' && 'step' in entry && entry.step === 'ended');
