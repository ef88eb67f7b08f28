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
  /** When other people have it, or nobody. Undefined: not as far as the calendar is known. */
  until?: number;
  /** Who is next, and from when. */
  next?: { people: readonly string[]; at: number };
}

const each = <T>(all: readonly T[]): T[] => [...new Set(all)];
const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

export function onShift(
  { match, people }: Pick<Schedule, 'match' | 'people'>,
  { shifts, until: known }: Pick<Copy, 'shifts' | 'until'>,
  at: number,
): OnShift {
  const form = (text: string): string => (match === 'attendee' ? text.toLowerCase() : text);
  const ids = new Map(Object.entries(people).map(([text, id]) => [form(text), id]));
  const namedAt = (ms: number): string[] =>
    each(shifts.filter(({ start, end }) => start <= ms && ms < end).flatMap(({ who }) => who.map(form)));
  const peopleAt = (ms: number): string[] => each(namedAt(ms).flatMap((name) => ids.get(name) ?? []));
  const now = peopleAt(at);
  const changes = each(shifts.flatMap(({ start, end }) => [start, end]))
    .filter((ms) => ms > at && ms < known)
    .sort((a, b) => a - b);
  const until = changes.find((ms) => !same(peopleAt(ms), now));
  const next = changes.find((ms) => until !== undefined && ms >= until && peopleAt(ms).length > 0);
  return {
    people: now,
    unmatched: namedAt(at).filter((name) => !ids.has(name)),
    ...(until === undefined ? {} : { until }),
    ...(next === undefined ? {} : { next: { people: peopleAt(next), at: next } }),
  };
}
