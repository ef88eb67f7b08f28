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

/** A copy whose shifts have all passed says nothing. */
export function scheduleNow(schedule: Schedule, { copies }: LiveCopies, zone: string, now: number): ScheduleNow {
  const { name } = schedule;
  const copy = copies.get(keyOf(schedule, zone));
  if (copy === undefined || now >= copy.until) return { name };
  return { name, age: Math.abs(now - copy.at), shift: onShift(schedule, copy, now) };
}
