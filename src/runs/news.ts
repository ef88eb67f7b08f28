import type { Actor } from '../outcome.ts';
import { begunAt } from './follow-up.ts';
import { isTaken, isUnknown, type RunState } from './state.ts';

/** Why people may be pinged: about the end of a change, and about what others said to it. */
const newsKinds = ['failed', 'unknown', 'restore', 'slow', 'answered', 'done'] as const;
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
  const { intent, confirmed, outcome, followUp } = state;
  if (outcome?.kind !== 'outcome' || isTold(state) || followUp !== undefined) return [];
  const begun = (confirmed ?? intent)?.time;
  if (intent === undefined || begun === undefined) return [];
  return [...(isUnknown(state) ? (['unknown'] as const) : []), ...isSlow(Date.parse(begun), outcome.time)];
}

/** Whether people were pinged about the newest that there was to tell. */
const isTold = ({ pinged, outcome, asked }: RunState): boolean =>
  pinged !== undefined && pinged.seq > (outcome ?? asked ?? pinged).seq;

/** Those who needed somebody else for it: who asked without the right, and who waited for an approval. */
export const waitersOf = ({ requested, asked, confirmed }: RunState): Actor[] => [
  ...(requested === undefined ? [] : [requested.actor]),
  ...(asked?.approvals !== undefined && confirmed !== undefined ? [asked.actor] : []),
];

/** What those who wait for others are to be told, until they were. */
export function newsForWaiters(state: RunState): { waiter: Actor; news: News[] }[] {
  const { requested, outcome, intent, followUp } = state;
  const over = outcome?.kind === 'outcome';
  if (isTold(state) || !(over || isTaken(state))) return [];
  return waitersOf(state).flatMap((waiter) => {
    // That they withdrew it themselves is no news to them.
    const isTheirs = outcome?.outcome === 'cancelled' && outcome.actor.id === waiter.id;
    const answered: News[] = intent === undefined || waiter.id !== requested?.actor.id ? ['answered'] : [];
    const done: News[] = intent === undefined || followUp !== undefined ? [] : ['done'];
    return isTheirs ? [] : [{ waiter, news: [...answered, ...done] }];
  });
}

/** Whether anybody may have to be pinged about how it ended. */
export const isUntold = (state: RunState): boolean =>
  newsOfOutcome(state).length > 0 || newsForWaiters(state).some(({ news }) => news.length > 0);

/** Whether it is recent enough to be told. */
export const isRecent = ({ outcome }: RunState, now: number): boolean =>
  outcome !== undefined && now - Date.parse(outcome.time) < newsFor;
