import type { Schedule } from '../policy/on-call.ts';

/** A calendar cannot be understood, or not be had: why, in words without anything of it. */
export class Unreadable extends Error {}

/** An entry of a calendar: from when until when, in ms, and whom it names, as it does. */
export interface Shift {
  start: number;
  end: number;
  who: readonly string[];
}

/** What a calendar said. */
export interface Copy {
  /** When it last did, in ms. */
  at: number;
  /** Until when its shifts are known, in ms. */
  until: number;
  /** In the order of their starts. */
  shifts: readonly Shift[];
}

/** Who has the shift. */
export interface OnShift {
  /** Discord ids, each once: of overlapping shifts, both count. */
  people: readonly string[];
  /** Whom the calendar names, and the policy's `people` does not. */
  unmatched: readonly string[];
  /** Since when, and who had it before. */
  since: number;
  before: readonly string[];
  /** When other people have it, or nobody. Undefined: not as far as the calendar is known. */
  until?: number;
  /** Who is next, and from when. */
  next?: { people: readonly string[]; at: number };
}

export function onShift(
  { match, people }: Pick<Schedule, 'match' | 'people'>,
  { shifts, until: known }: Pick<Copy, 'shifts' | 'until'>,
  at: number,
): OnShift {
  const form = (text: string): string => (match === 'attendee' ? text.toLowerCase() : text);
  const ids = new Map(Object.entries(people).map(([text, id]) => [form(text), id]));
  const named = new Set(shifts.flatMap(({ start, end, who }) => (start <= at && at < end ? who.map(form) : [])));
  const times = timesOf(
    shifts.map(({ who, ...time }) => ({ ...time, who: who.flatMap((name) => ids.get(form(name)) ?? []) })),
  );
  const now = times.findLastIndex((time) => time.at <= at);
  const later = times.slice(now + 1).filter((time) => time.at < known);
  const next = later.find((time) => time.people.length > 0);
  return {
    people: times[now]?.people ?? [],
    unmatched: [...named].filter((name) => !ids.has(name)),
    since: times[now]?.at ?? 0,
    before: times[now - 1]?.people ?? [],
    ...(later[0] === undefined ? {} : { until: later[0].at }),
    ...(next === undefined ? {} : { next }),
  };
}

/** The times at which others have it, or nobody, in their order. Walks once through all starts and ends: there may be thousands. */
function timesOf(shifts: readonly Shift[]): { at: number; people: readonly string[] }[] {
  const steps = shifts.flatMap(({ start, end, who }) =>
    who.flatMap((id) => [
      { at: start, id, by: 1 },
      { at: end, id, by: -1 },
    ]),
  );
  steps.sort((a, b) => a.at - b.at);
  const counts = new Map<string, number>();
  const times: { at: number; people: readonly string[] }[] = [];
  let last = new Set<string>();
  for (const [i, { at, id, by }] of steps.entries()) {
    const count = (counts.get(id) ?? 0) + by;
    if (count === 0) counts.delete(id);
    else counts.set(id, count);
    // What ends and begins at one time is one change.
    if (steps[i + 1]?.at === at) continue;
    const people = new Set(counts.keys());
    if (people.size === last.size && [...people].every((one) => last.has(one))) continue;
    times.push({ at, people: [...people] });
    last = people;
  }
  return times;
}

/** What is known of the calendars: read at each use, and never kept. */
export interface LiveCopies {
  /** The last good copies, by `keyOf`. */
  copies: ReadonlyMap<string, Copy>;
  /** Of those who have a shift now or next, who has no role in the guild: they left it, or can do nothing in it. */
  gone: readonly string[];
}

/** Whose copy it is: a schedule that is about another file, or read otherwise, has none of before. */
export const keyOf = ({ name, match, ...schedule }: Schedule, zone: string): string =>
  JSON.stringify([name, schedule['ical-file'], match, zone]);

/** What is known now of a schedule. */
export interface ScheduleNow {
  name: string;
  /** The name of its role, which is pinged where nobody is known to have the shift. */
  role: string;
  /** How old the last copy of its calendar is, in ms. Left out: there is none. */
  age?: number;
  shift?: OnShift;
  /** Those of its people who are gone. */
  gone: readonly string[];
}

/** How old a copy may be for the rights that it gives, and for pings, in ms. */
const [rightsFor, pingsFor] = [3_600_000, 86_400_000];

/** Whether rights may follow from it. */
export const isFresh = ({ age }: ScheduleNow): boolean => age !== undefined && age < rightsFor;

/** Whether people are pinged by it. */
export const isRecent = ({ age }: ScheduleNow): boolean => age !== undefined && age < pingsFor;

/** A copy whose shifts have all passed says nothing. */
export function scheduleNow(schedule: Schedule, { copies, gone }: LiveCopies, zone: string, now: number): ScheduleNow {
  const { name, role } = schedule;
  const copy = copies.get(keyOf(schedule, zone));
  if (copy === undefined || now >= copy.until) return { name, role, gone: [] };
  const shift = onShift(schedule, copy, now);
  return { name, role, age: Math.abs(now - copy.at), shift, gone: peopleOf(shift).filter((id) => gone.includes(id)) };
}

/** Who has it now or next, each once. */
export const peopleOf = ({ people, next }: OnShift): string[] => [...new Set([...people, ...(next?.people ?? [])])];

/** Who has the shift, or the role of the schedule where nobody is known to: ids of users, and of roles with the prefix `&`. */
export function pingsOf(
  schedule: ScheduleNow,
  { roles }: { roles: readonly { role: string; name: string }[] },
): readonly string[] {
  const { shift, role, gone } = schedule;
  const known = isRecent(schedule) ? (shift?.people ?? []) : [];
  const people = known.filter((id) => !gone.includes(id));
  return people.length > 0
    ? people
    : [...new Set(roles.flatMap((each) => (each.name === role ? `&${each.role}` : [])))];
}
