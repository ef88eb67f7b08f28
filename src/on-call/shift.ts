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
