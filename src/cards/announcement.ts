import { botActor } from '../outcome.ts';
import type { RunEntry } from '../runs/entry.ts';
import { toldUpTo } from '../runs/findings.ts';
import { deadlineOf, type FollowUp, followUpEntry, followUpOf, startedAt } from '../runs/follow-up.ts';
import { isStillOpen } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isRecent, isUntold, newsForWaiters, newsOfJob, newsOfOutcome, waitersOf } from '../runs/news.ts';
import {
  asksForThaw,
  awaitsReminder,
  awaitsReview,
  expiryOf,
  isCalled,
  isOver,
  isTaken,
  orderOf,
  type RunState,
  wantsOthers,
} from '../runs/state.ts';
import { aboutAlerts } from './alerting.ts';
import { type Announcement, type AnnouncementParts, type Posted, placeOf } from './due.ts';
import type { Beside } from './render/index.ts';

/** All announcements that are due according to the ledger. */
export function announcements(parts: AnnouncementParts): Announcement[] {
  const { records } = parts;
  const readable = parts.readable();
  // There may be thousands at each entry. For a readable job nothing is due before it ends.
  const followed = records
    .following()
    .filter(({ followUp }) => !readable || followUp?.started.job === undefined || followUp.ended !== undefined);
  const ids = [
    ...followed,
    ...records.reminders(),
    ...records.open().filter((state) => wantsOthers(state) || isTaken(state)),
    ...records.unreviewed().filter((state) => !isCalled(state)),
    ...records.unpinged().filter((state) => isRecent(state, parts.now())),
  ].map(({ run }) => invocationOf(run));
  return [...ofNoRun(parts), ...[...new Set(ids)].flatMap((id) => announcementsOf(parts, id))];
}

/** Those that concern no command's card. */
export const ofNoRun = (parts: AnnouncementParts): Announcement[] => [
  ...alertOf(parts),
  ...handoversOf(parts),
  ...aboutAlerts(parts),
];

/** One announcement for all findings that nobody was pinged about. */
function alertOf({ records, wording, ...parts }: AnnouncementParts): Announcement[] {
  const alarm = parts.alarm();
  const before = toldUpTo(records.alerted());
  const open = records.findings().filter(({ acknowledged }) => acknowledged === undefined);
  const newest = open.findLast(({ found }) => found.seq > before)?.found;
  if (newest === undefined || alarm === undefined) return [];
  const { guild, channel, roles, seal } = alarm;
  const told = { kind: 'alerted', actor: botActor, upTo: newest.seq } as const;
  return [
    {
      key: `findings up to ${newest.seq}`,
      to: { channel },
      card: () => wording.alert(open, guild),
      pings: roles.map((id) => `&${id}`),
      since: Date.parse(newest.time),
      entries: (posted) => [{ ...told, place: placeOf(guild, posted), seal: seal(told) }],
    },
  ];
}

/** How long after its time a change of shift is told, in ms. Later, it would wake who left. */
const handoverFor = 3_600_000;

/** The last change of each shift, if somebody came, or nobody has it. */
function handoversOf({ records, wording, shifts, alarm, now }: AnnouncementParts): Announcement[] {
  const alarmed = alarm();
  return shifts().flatMap(({ pings, ...schedule }): Announcement[] => {
    const { name, shift } = schedule;
    if (alarmed === undefined || shift === undefined || now() - shift.since >= handoverFor) return [];
    const { people: after, before, since } = shift;
    const at = new Date(since).toISOString();
    const last = records.shift(name);
    const isTold = last?.at === at && last.after.join() === after.join();
    if (isTold || (after.length > 0 && after.every((id) => before.includes(id)))) return [];
    const { guild, channel } = alarmed;
    const told = { kind: 'shift', actor: botActor, schedule: name, at, before, after } as const;
    return [
      {
        key: `shift ${name} ${at} ${after.join()}`,
        to: { channel },
        card: () => wording.shift(schedule),
        pings: unique([...before, ...pings]),
        since,
        entries: (posted) => [{ ...told, place: placeOf(guild, posted) }],
      },
    ];
  });
}

/** The announcements that are due for one invocation. */
export function announcementsOf(parts: AnnouncementParts, id: string): Announcement[] {
  const states = parts.records.runs(id);
  const followed = states.flatMap((state) => followUpOf(state) ?? []);
  return [
    ...followed.flatMap((each) => ended(parts, each, states) ?? []),
    ...followed.flatMap((each) => unread(parts, each) ?? []),
    ...[taken, outcome, reminder, call, plea].flatMap((due) => besideCard(parts, id, due(parts, states))),
  ];
}

/** A message that is due beside a card. `about`: what it is about, an entry of each run, of which the first has the card. */
interface Due {
  of: Beside;
  key: string;
  step: 'reminded' | 'pinged' | 'called';
  about: readonly RunEntry[];
  pings: readonly string[];
  since: number;
  /** The message to reply to, if it is another one. */
  message?: string | undefined;
  /** Nothing is to be said: record only that it was due. */
  isMoot?: boolean;
}

function besideCard({ wording }: AnnouncementParts, id: string, due: Due | undefined): Announcement[] {
  const [first] = due?.about ?? [];
  if (due === undefined || first === undefined || due.pings.length === 0) return [];
  const { of, key, step, about, pings, since, message = first.place.message, isMoot } = due;
  return [
    {
      invocationId: id,
      key: `${id} ${key}`,
      to: { channel: first.place.channel, message },
      card: () => (isMoot ? undefined : wording.beside(of, id)),
      pings,
      since,
      entries: (posted) =>
        about.map(({ run, command, server, place: { guild, channel } }) => ({
          ...{ run, kind: step, actor: botActor, command, options: {}, server },
          place: { guild, channel: posted?.channel ?? channel, message: posted?.message },
          pings: posted?.pings,
        })),
    },
  ];
}

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)];

const timeOf = ({ time }: RunEntry): number => Date.parse(time);

/** Whom the policy pings about what those who wait are to be told. */
const toWaiters = (state: RunState, { recipients }: AnnouncementParts): string[] =>
  newsForWaiters(state).flatMap(({ waiter, news }) => recipients(news, waiter.id));

/** Somebody took a request on: whoever asked need not look for others. */
function taken(parts: AnnouncementParts, states: readonly RunState[]): Due | undefined {
  const about = states.every(isTaken) ? states.flatMap(({ asked }) => asked ?? []) : [];
  const [first] = about;
  if (first === undefined) return undefined;
  const pings = unique(states.flatMap((state) => toWaiters(state, parts)));
  return { of: 'taken', key: 'taken', step: 'pinged', about, pings, since: timeOf(first) };
}

/** Once the command has ended on all its servers, whatever is news of what is not followed. */
function outcome(parts: AnnouncementParts, states: readonly RunState[]): Due | undefined {
  const news = states.filter((state) => isUntold(state) && isRecent(state, parts.now()));
  const order = news[0] && orderOf(news[0]);
  if (order === undefined || !isOver(states, order.options)) return undefined;
  const about = news.flatMap((state) => state.outcome ?? []);
  const pings = news.flatMap((state) => [
    ...parts.recipients(newsOfOutcome(state), (state.asked ?? order).actor.id),
    ...toWaiters(state, parts),
  ]);
  const since = Math.max(...about.map(timeOf));
  return { of: 'outcome', key: 'pinged', step: 'pinged', about, pings: unique(pings), since };
}

/** Several servers share a reminder, which is due with the last of them. Nothing is posted about closed effects. */
function reminder({ records, now }: AnnouncementParts, states: readonly RunState[]): Due | undefined {
  const waiting = states.filter(awaitsReminder);
  const times = waiting.map(({ remind }) => Date.parse(remind ?? ''));
  const about = waiting.flatMap((state) => state.outcome ?? []);
  const [first] = about;
  if (first === undefined || Math.max(...times) > now()) return undefined;
  const message = waiting.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? first.place.message;
  const isMoot = message === undefined || !waiting.some((state) => isStillOpen(records, state));
  const pings = [first.actor.id];
  return {
    of: 'reminder',
    key: 'reminded',
    step: 'reminded',
    about,
    pings,
    since: Math.min(...times),
    message,
    isMoot,
  };
}

/** What waits for others, or went on without them: once, to those who may approve it, or run what somebody asks for. */
function call({ approvers, now }: AnnouncementParts, states: readonly RunState[]): Due | undefined {
  const waits = (state: RunState): boolean => wantsOthers(state) && expiryOf(state) > now();
  const isDue = states.every((state) => !isCalled(state)) && (states.every(waits) || states.some(awaitsReview));
  const about = isDue ? states.flatMap((state) => state.asked ?? state.requested ?? []) : [];
  const [first] = about;
  if (first === undefined) return undefined;
  const servers = about.flatMap(({ server }) => server ?? []);
  const asks = first.kind === 'asked' ? undefined : { command: first.command, requester: first.actor.id };
  const since = Math.max(...states.map((state) => Date.parse((state.confirmed ?? state.requested)?.time ?? '')));
  const pings = approvers(servers, asks);
  return { of: 'call', key: `called ${first.kind}`, step: 'called', about, pings, since };
}

/** Somebody whom a freeze stopped asks those who may end it: once. */
function plea({ thawers }: AnnouncementParts, states: readonly RunState[]): Due | undefined {
  const asking = states.filter(asksForThaw);
  const about = asking.flatMap((state) => state.called ?? []);
  const [by] = about;
  if (by === undefined) return undefined;
  const message = asking[0]?.outcome?.place.message;
  const since = Math.min(...about.map(timeOf));
  return { of: 'call', key: 'plea', step: 'called', about, pings: thawers(by.actor.id), since, message };
}

const aboutCard = ({ run, followUp: { started, card } }: FollowUp) => ({
  invocationId: invocationOf(run),
  to: { channel: started.place.channel, message: card },
});

/** The fields to record, with the message that announced it, in whatever channel. */
const saidIn = ({ followUp }: FollowUp, posted: Posted | undefined) => {
  const entry = followUpEntry(followUp, botActor, posted?.message);
  return posted === undefined ? entry : { ...entry, place: { ...entry.place, channel: posted.channel } };
};

/**
 * For several servers on one card, the last to end triggers the announcement. What is no news pings nobody, and nor does
 * a stopped follow-up.
 */
function ended(
  { wording, recipients, now }: AnnouncementParts,
  each: FollowUp,
  states: readonly RunState[],
): Announcement | undefined {
  const { started, ended: end, announced } = each.followUp;
  if (end === undefined || announced !== undefined) return undefined;
  // Other servers of the command have not ended yet.
  if (!isOver(states, started.options) && now() < deadlineOf(started)) return undefined;
  const all = states.flatMap(({ followUp }) => followUp ?? []);
  const isLast = all.every((other) => (other.ended?.seq ?? Number.POSITIVE_INFINITY) <= end.seq);
  const pings = unique(
    states.flatMap((state) => {
      const news = newsOfJob(state);
      const waiters = end.end === 'stopped' ? [] : waitersOf(state);
      return [
        ...recipients(news, state.followUp?.notify.id ?? started.actor.id),
        ...waiters.flatMap(({ id }) => recipients(['done'], id)),
      ];
    }),
  );
  const about = aboutCard(each);
  return {
    ...about,
    key: `${each.run} announced`,
    card: () => (isLast && pings.length > 0 ? wording.beside('end', about.invocationId) : undefined),
    pings,
    since: Date.parse(end.time),
    entries: (posted) => [{ ...saidIn(each, posted), step: 'announced', pings: posted?.pings }],
  };
}

/**
 * For an unreadable job: reminders at growing intervals, until somebody says how it ended. Missed reminders become one.
 */
function unread({ wording, readable, reminders, now }: AnnouncementParts, each: FollowUp): Announcement | undefined {
  const { started, ended: end, reminded } = each.followUp;
  const isRead = started.job !== undefined && (readable() || started.follow !== 'restore');
  if (isRead || end !== undefined || now() >= deadlineOf(started)) return undefined;
  const begun = startedAt(started);
  const n = reminders.filter((ms) => begun + ms <= now()).length;
  if (n <= reminded) return undefined;
  return {
    ...aboutCard(each),
    key: `${each.run} reminded ${n}`,
    card: () => wording.unread(each.run, n),
    pings: [],
    since: begun + (reminders[n - 1] ?? 0),
    entries: (posted) => [{ ...saidIn(each, posted), step: 'reminded', n }],
  };
}
