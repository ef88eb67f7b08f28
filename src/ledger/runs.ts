import { isNeverBegun } from '../reasons.ts';
import type { RunEntry } from './entry.ts';
import type { FollowUpState, RunState } from './ledger.ts';
import { SecondOutcome } from './ledger.ts';

/** What a run's state becomes with one more entry. Throws SecondOutcome when the run can take no such entry. */
export function advance(state: RunState | undefined, entry: RunEntry): RunState {
  const { run, kind } = entry;
  if (kind === 'follow-up') return { ...state, run, followUp: follow(state, entry) };
  if (kind === 'resolved') return { ...state, run, resolved: resolve(state, entry), ...ways(entry) };
  if (kind === 'reminded') return { ...state, run, reminded: remind(state, entry) };
  if (state?.outcome) throw new SecondOutcome(run, kind);
  // Said by a process that did not know that another had begun.
  const isLate = state?.intent !== undefined && entry.reason !== undefined && isNeverBegun(entry.reason);
  if (isLate) throw new SecondOutcome(run, kind);
  if (kind === 'outcome' || kind === 'denied') return { ...state, run, outcome: entry, ...ways(entry) };
  if (state?.intent) throw new SecondOutcome(run, kind);
  if (kind === 'intent') return { ...state, run, intent: entry };
  if (state?.asked) throw new SecondOutcome(run, kind);
  return { ...state, run, asked: entry };
}

/** How it is taken back, and when is reminded of it. */
const ways = ({ undo, remind }: Pick<RunState, 'undo' | 'remind'>): Pick<RunState, 'undo' | 'remind'> => ({
  ...(undo === undefined ? {} : { undo }),
  ...(remind === undefined ? {} : { remind }),
});

/** Whether nobody knows how it ended, and nobody has said so since. */
export const isUnknown = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && (outcome?.outcome === 'unknown' || followUp?.ended?.end === 'unknown');

function resolve(state: RunState | undefined, entry: RunEntry): RunEntry {
  if (state === undefined || !isUnknown(state) || entry.happened === undefined)
    throw new SecondOutcome(entry.run, 'resolution');
  return entry;
}

function remind(state: RunState | undefined, entry: RunEntry): RunEntry {
  if (state?.remind === undefined || state.reminded !== undefined) throw new SecondOutcome(entry.run, 'reminder');
  return entry;
}

/** What a follow-up becomes with one more step. The card may move until the end is announced, and after. */
function follow(state: RunState | undefined, entry: RunEntry): FollowUpState {
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
