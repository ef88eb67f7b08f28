import type { Schedule } from '../policy/on-call.ts';
import { type Copy, type OnShift, onShift } from './shift.ts';

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
