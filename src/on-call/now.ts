import type { Schedule } from '../policy/on-call.ts';
import { type Copy, type OnShift, onShift } from './shift.ts';

/** The last good copies, by `keyOf`: read at each use, and never kept. */
export interface LiveCopies {
  copies: ReadonlyMap<string, Copy>;
}

/** Whose copy it is: a schedule that is about another file, or read otherwise, has none of before. */
export const keyOf = ({ name, match, ...schedule }: Schedule, zone: string): string =>
  JSON.stringify([name, schedule['ical-file'], match, zone]);

/** What is known now of a schedule. */
export interface ScheduleNow {
  name: string;
  /** How old the last copy of its calendar is, in ms. Left out: there is none. */
  age?: number;
  shift?: OnShift;
}

/** How old a copy may be for the rights that it gives, and for pings, in ms. */
const [rightsFor, pingsFor] = [3_600_000, 86_400_000];

/** Whether rights may follow from it. */
export const isFresh = ({ age }: ScheduleNow): boolean => age !== undefined && age < rightsFor;

/** A copy whose shifts have all passed says nothing. */
export function scheduleNow(schedule: Schedule, { copies }: LiveCopies, zone: string, now: number): ScheduleNow {
  const { name } = schedule;
  const copy = copies.get(keyOf(schedule, zone));
  if (copy === undefined || now >= copy.until) return { name };
  return { name, age: Math.abs(now - copy.at), shift: onShift(schedule, copy, now) };
}

/** Who has the shift, or the role of this name where that is not known, or nobody: ids of users, and of roles with the prefix `&`. */
export const pingsOf = (
  { age, shift }: ScheduleNow,
  role: string | undefined,
  { roles }: { roles: readonly { role: string; name: string }[] },
): readonly string[] =>
  age !== undefined && age < pingsFor && shift !== undefined && shift.people.length > 0
    ? shift.people
    : roles.filter(({ name }) => name === role).map(({ role: id }) => `&${id}`);
