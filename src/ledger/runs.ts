import type { Entry } from './entry.ts';
import type { FollowUpState, RunState } from './ledger.ts';
import { SecondOutcome } from './ledger.ts';

/** What a run's state becomes with one more entry. Throws SecondOutcome when the run can take no such entry. */
export function advance(state: RunState | undefined, entry: Entry): RunState {
  const { run, kind } = entry;
  if (kind === 'follow-up') return { ...state, run, followUp: follow(state, entry) };
  if (state?.outcome) throw new SecondOutcome(run, kind);
  if (kind === 'outcome' || kind === 'denied') return { ...state, run, outcome: entry };
  if (state?.intent) throw new SecondOutcome(run, kind);
  if (kind === 'intent') return { ...state, run, intent: entry };
  if (state?.asked) throw new SecondOutcome(run, kind);
  return { ...state, run, asked: entry };
}

/** What a follow-up becomes with one more step. The card may move until the end is announced, and after. */
function follow(state: RunState | undefined, entry: Entry): FollowUpState {
  const { run, step, place, to, n } = entry;
  const refused = new SecondOutcome(run, `follow-up step ${step}`);
  const now = state?.followUp;
  if (step === 'started') {
    if (now !== undefined || state?.outcome?.outcome !== 'accepted' || place.message === undefined) throw refused;
    return { started: entry, card: place.message, notify: entry.actor, reminded: 0 };
  }
  if (now === undefined) throw refused;
  if (step === 'moved' && place.message !== undefined) return { ...now, card: place.message };
  if (step === 'announced' && now.ended !== undefined && now.announced === undefined)
    return { ...now, announced: entry };
  if (now.ended !== undefined) throw refused;
  if (step === 'ended') return { ...now, ended: entry };
  if (step === 'handed-over' && to !== undefined) return { ...now, notify: to };
  if (step === 'reminded' && n !== undefined && n > now.reminded) return { ...now, reminded: n };
  throw refused;
}

const stemOf = (run: string) => run.split('.', 1).join();
const numberOf = (run: string) => Number(run.split('.')[1]);

/** The states of all runs, by run and by invocation. */
export function runIndex() {
  const stems = new Map<string, Map<string, RunState>>();
  const open = new Map<string, RunState>();
  const following = new Map<string, RunState>();
  return {
    get: (run: string) => stems.get(stemOf(run))?.get(run),
    set(state: RunState) {
      const stem = stemOf(state.run);
      const siblings = stems.get(stem) ?? new Map<string, RunState>();
      stems.set(stem, siblings.set(state.run, state));
      if (state.outcome) open.delete(state.run);
      else open.set(state.run, state);
      if (state.followUp === undefined || state.followUp.announced) following.delete(state.run);
      else following.set(state.run, state);
    },
    stem: (stem: string) => [...(stems.get(stem)?.values() ?? [])].sort((a, b) => numberOf(a.run) - numberOf(b.run)),
    open: () => [...open.values()],
    following: () => [...following.values()],
  };
}

export type RunIndex = ReturnType<typeof runIndex>;
