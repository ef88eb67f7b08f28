import { botActor } from '../outcome.ts';
import { toldUpTo } from '../runs/findings.ts';
import { deadlineOf, type FollowUp, followUpEntry, followUpOf, startedAt } from '../runs/follow-up.ts';
import { isStillOpen } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isRecent, isUntold, newsOfJob, newsOfOutcome, waitersOf } from '../runs/news.ts';
import { awaitsReminder, isCalled, isOver, isTaken, orderOf, type RunState, wantsOthers } from '../runs/state.ts';
import { aboutAlerts } from './alerting.ts';
import { type Announcement, type AnnouncementParts, type Posted, stepEntry, unique } from './due.ts';
import { call, plea, taken, toWaiters } from './waiting.ts';

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
      entries: (posted) => [
        {
          ...told,
          place: posted && { guild, channel: posted.channel, message: posted.message },
          seal: seal(told),
        },
      ],
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
    return [
      {
        key: `shift ${name} ${at} ${after.join()}`,
        to: { channel },
        card: () => wording.shift(schedule),
        pings: unique([...before, ...pings]),
        since,
        entries: (posted) => [
          {
            ...{ kind: 'shift', actor: botActor, schedule: name, at, before, after },
            place: posted && { guild, channel: posted.channel, message: posted.message },
          },
        ],
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
    ...[
      taken(parts, id, states),
      outcome(parts, id, states),
      reminder(parts, id, states),
      call(parts, id, states),
      plea(parts, id, states),
    ].flatMap((each) => each ?? []),
  ];
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
    card: () => (isLast && pings.length > 0 ? wording.end(about.invocationId) : undefined),
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

/** Once the command has ended on all its servers, whatever is news of what is not followed. */
function outcome(
  { wording, recipients, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const news = states.filter((state) => isUntold(state) && isRecent(state, now()));
  const outcomes = news.flatMap((state) => state.outcome ?? []);
  const [first] = outcomes;
  const order = news[0] && orderOf(news[0]);
  if (first === undefined || order === undefined || !isOver(states, order.options)) return undefined;
  const pings = unique(
    news.flatMap((state) => [
      ...recipients(newsOfOutcome(state), (state.asked ?? order).actor.id),
      ...toWaiters(state, recipients),
    ]),
  );
  if (pings.length === 0) return undefined;
  const { channel, message } = first.place;
  return {
    invocationId: id,
    key: `${id} pinged`,
    to: { channel, message },
    card: () => wording.outcome(id),
    pings,
    since: Math.max(...outcomes.map(({ time }) => Date.parse(time))),
    entries: (posted) => outcomes.map((each) => stepEntry('pinged', each, posted)),
  };
}

const dueAt = ({ remind }: RunState): number => Date.parse(remind ?? '');

/** Several servers share a reminder, which is due with the last of them. Nothing is posted about closed effects. */
function reminder(
  { records, wording, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const waiting = states.filter(awaitsReminder);
  const times = waiting.map(dueAt);
  const first = waiting[0]?.outcome;
  if (first === undefined || Math.max(...times) > now()) return undefined;
  const { channel, message: answer } = first.place;
  const message = waiting.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? answer;
  const isOpen = (): boolean => waiting.some((state) => isStillOpen(records, state));
  return {
    invocationId: id,
    key: `${id} reminded`,
    to: { channel, message },
    card: () => (message !== undefined && isOpen() ? wording.reminder(id) : undefined),
    pings: [first.actor.id],
    since: Math.min(...times),
    entries: (posted) =>
      waiting.flatMap(({ outcome }) => (outcome === undefined ? [] : stepEntry('reminded', outcome, posted))),
  };
}
