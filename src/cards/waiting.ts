import { newsForWaiters } from '../runs/news.ts';
import { asksForThaw, awaitsReview, expiryOf, isCalled, isTaken, type RunState, wantsOthers } from '../runs/state.ts';
import { type Announcement, type AnnouncementParts, type Recipients, stepEntry, unique } from './due.ts';

/** What is announced between those who wait for others and those others. Pure. */

/** Whom the policy pings about what those who wait are to be told. */
export const toWaiters = (state: RunState, recipients: Recipients): string[] =>
  newsForWaiters(state).flatMap(({ waiter, news }) => recipients(news, waiter.id));

/** Somebody took a request on: whoever asked need not look for others. */
export function taken(
  { wording, recipients }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const all = states.every(isTaken) ? states.flatMap(({ asked }) => asked ?? []) : [];
  const [first] = all;
  const pings = unique(states.flatMap((state) => toWaiters(state, recipients)));
  if (first === undefined || pings.length === 0) return undefined;
  const { channel, message } = first.place;
  return {
    invocationId: id,
    key: `${id} taken`,
    to: { channel, message },
    card: () => wording.taken(id),
    pings,
    since: Date.parse(first.time),
    entries: (posted) => all.map((each) => stepEntry('pinged', each, posted)),
  };
}

/** What waits for others, or went on without them: once, to those who may approve it, or run what somebody asks for. */
export function call(
  { wording, approvers, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const waits = (state: RunState): boolean => wantsOthers(state) && expiryOf(state) > now();
  const isDue = states.every((state) => !isCalled(state)) && (states.every(waits) || states.some(awaitsReview));
  const asked = isDue ? states.flatMap((state) => state.asked ?? state.requested ?? []) : [];
  const [first] = asked;
  if (first === undefined) return undefined;
  const servers = asked.flatMap(({ server }) => server ?? []);
  const asks = first.kind === 'asked' ? undefined : { command: first.command, requester: first.actor.id };
  const pings = approvers(servers, asks);
  if (pings.length === 0) return undefined;
  const { channel, message } = first.place;
  return {
    invocationId: id,
    key: `${id} called ${first.kind}`,
    to: { channel, message },
    card: () => wording.call(id),
    pings,
    since: Math.max(...states.map((state) => Date.parse((state.confirmed ?? state.requested)?.time ?? ''))),
    entries: (posted) => asked.map((each) => stepEntry('called', each, posted)),
  };
}

/** Somebody whom a freeze stopped asks those who may end it: once. */
export function plea(
  { wording, thawers }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const asking = states.filter(asksForThaw);
  const called = asking.flatMap((state) => state.called ?? []);
  const [[first], [by]] = [asking, called];
  const pings = by === undefined ? [] : thawers(by.actor.id);
  if (first?.outcome === undefined || pings.length === 0) return undefined;
  const { channel, message } = first.outcome.place;
  return {
    invocationId: id,
    key: `${id} plea`,
    to: { channel, message },
    card: () => wording.plea(id),
    pings,
    since: Math.min(...called.map(({ time }) => Date.parse(time))),
    entries: (posted) => called.map((each) => stepEntry('called', each, posted)),
  };
}
