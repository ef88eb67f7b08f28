import type { RunEntry } from './entry.ts';
import { begunAt } from './follow-up.ts';
import { isUnknown, type RunState } from './state.ts';

/** Why people may be pinged about the end of a change. */
const newsKinds = ['failed', 'unknown', 'restore', 'slow'] as const;
export type News = (typeof newsKinds)[number];

/** Whoever ordered something shorter, in ms, is still looking at its card. */
const slowAfter = 30_000;
/** Older outcomes are no news, in ms: /handover has what is still unknown. */
const newsFor = 24 * 3_600_000;

const isSlow = (from: number, until: string): News[] => (Date.parse(until) - from > slowAfter ? ['slow'] : []);

/** What the end of a followed job is to people. Stopping to follow it is nothing. */
export function newsOfJob(state: RunState): News[] {
  const { started, ended } = state.followUp ?? {};
  if (started === undefined || ended === undefined || ended.end === 'stopped') return [];
  return [
    ...(ended.end === 'failed' || ended.end === 'unknown' ? [ended.end] : []),
    ...(started.follow === 'restore' ? (['restore'] as const) : []),
    ...isSlow(begunAt(state, started), ended.time),
  ];
}

/** What the outcome of a change is to people, until they were pinged about it. The end of a followed job is told later. */
export function newsOfOutcome(state: RunState): News[] {
  const { intent, confirmed, outcome, pinged, followUp } = state;
  if (outcome?.kind !== 'outcome' || pinged !== undefined || followUp !== undefined) return [];
  const begun = (confirmed ?? intent)?.time;
  if (intent === undefined || begun === undefined) return [];
  return [...(isUnknown(state) ? (['unknown'] as const) : []), ...isSlow(Date.parse(begun), outcome.time)];
}

/** Whether it is recent enough to be told. */
export const isRecent = ({ outcome }: RunState, now: number): boolean =>
  outcome !== undefined && now - Date.parse(outcome.time) < newsFor;

/** Whether the message of this step pinged people: then it is not the card. */
export const isPing = (entry: RunEntry): boolean =>
  entry.kind === 'pinged' || entry.kind === 'called' || (entry.kind === 'follow-up' && entry.step === 'announced');
