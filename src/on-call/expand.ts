import ICAL from 'ical.js';
import { instantOf, isZone } from '../time.ts';
import { type Shift, Unreadable } from './shift.ts';

/** What is asked of a calendar. Times in ms. */
export interface Expansion {
  text: string;
  from: number;
  until: number;
  match: 'attendee' | 'summary';
  /** Of times without a zone, and of days. */
  zone: string;
}

/** A time as the calendar writes it: what a wall clock shows, in ms as if it were UTC, and where it hangs. */
interface Moment {
  wall: number;
  isDate: boolean;
  zone: string;
  /** When that clock shows that, in ms. */
  at(wall: number): number;
}

const day = 86_400_000;
/** More than any calendar of people has: of all its entries' names in the time that is asked for, of one entry's, of a name. */
const most = { names: 5_000, people: 50, name: 200 };

/**
 * The shifts of a calendar. Recurrences are counted by the wall clock of their zone, and so is how long each is: one from
 * 18:00 to 9:00 ends at 9:00, whatever the clocks do that night.
 */
export function expand({ text, from, until, match, zone }: Expansion): Shift[] {
  const events = eventsOf(text);
  const ofUid = new Map<string, ICAL.Component[]>();
  for (const event of events) ofUid.set(wordOf(event, 'uid'), []);
  for (const event of events) ofUid.get(wordOf(event, 'uid'))?.push(event);
  const shifts: Shift[] = [];
  let names = 0;
  for (const event of events.filter((each) => wordOf(each, 'status').toUpperCase() !== 'CANCELLED')) {
    const [start] = momentsOf(event, 'dtstart', zone);
    if (start === undefined) continue;
    const length = lengthOf(event, start, zone);
    const isGone = leftOut(event, ofUid.get(wordOf(event, 'uid')) ?? [], zone);
    const who = namesOf(event, match);
    // Of what is further away, no clock is looked at.
    const walls = { from: from - length.wall - length.exact - 2 * day, until: until + 2 * day };
    for (const { wall, at: clock } of momentsIn(event, start, walls, zone)) {
      const [at, end] = [clock(wall), clock(wall + length.wall) + length.exact];
      if (!(at < until && end > from && end > at) || isGone(at, wall)) continue;
      shifts.push({ start: at, end, who });
      names += who.length;
      if (names > most.names) throw new Unreadable(`It has more than ${most.names} entries in two months.`);
    }
  }
  return shifts.sort((a, b) => a.start - b.start || a.end - b.end);
}

function eventsOf(text: string): ICAL.Component[] {
  const parsed: unknown[] = ICAL.parse(text);
  const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed).map(
    // The library's own form, which its parser has just made.
    (each) => new ICAL.Component(each as [string, unknown[], unknown[]]),
  );
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar'))
    throw new Unreadable('It is not a calendar.');
  return calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
}

const wordOf = (event: ICAL.Component, name: string): string => String(event.getFirstPropertyValue(name) ?? '');

function momentsOf(event: ICAL.Component, name: string, zone: string): Moment[] {
  return event.getAllProperties(name).flatMap((property) =>
    property.getValues().map((value: unknown) => {
      if (!(value instanceof ICAL.Time)) throw new Unreadable(`It has a ${name.toUpperCase()} that is not a time.`);
      return { wall: wallOf(value), isDate: value.isDate, ...clockOf(value, property, zone) };
    }),
  );
}

const wallOf = ({ year, month, day: date, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, date, hour, minute, second);

/** The clocks that the machine knows by name are newer than those that a calendar brings along. */
function clockOf(time: ICAL.Time, property: ICAL.Property, zone: string): Pick<Moment, 'zone' | 'at'> {
  if (time.zone === ICAL.Timezone.utcTimezone) return { zone: 'UTC', at: (wall) => wall };
  const named = String(property.getFirstParameter('tzid') ?? '');
  const known = time.isDate || named === '' ? zone : named;
  if (isZone(known)) return { zone: known, at: (wall) => instantOf(wall, known) };
  const own = time.zone;
  if (own === null || own === ICAL.Timezone.localTimezone) return { zone, at: (wall) => instantOf(wall, zone) };
  return { zone: known, at: (wall) => wall - own.utcOffset(timeAt(wall, false)) * 1000 };
}

function timeAt(wall: number, isDate: boolean): ICAL.Time {
  const at = new Date(wall);
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const clock = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() };
  return ICAL.Time.fromData({ year, month, day: date, ...(isDate ? {} : clock), isDate });
}

/** How long it is: by the wall clock, and beside that. */
function lengthOf(event: ICAL.Component, start: Moment, zone: string): { wall: number; exact: number } {
  const [end] = momentsOf(event, 'dtend', zone);
  if (end?.zone === start.zone) return { wall: end.wall - start.wall, exact: 0 };
  if (end !== undefined) return { wall: 0, exact: end.at(end.wall) - start.at(start.wall) };
  const lasting = event.getFirstPropertyValue('duration');
  if (!(lasting instanceof ICAL.Duration)) return { wall: start.isDate ? day : 0, exact: 0 };
  const { weeks, days, hours, minutes, seconds } = lasting;
  return { wall: (7 * weeks + days) * day, exact: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
}

/** When it begins. They may come twice. */
function* momentsIn(
  event: ICAL.Component,
  start: Moment,
  { from, until }: { from: number; until: number },
  zone: string,
): Generator<Moment> {
  if (event.hasProperty('exrule')) throw new Unreadable('It uses EXRULE, which is not understood here.');
  const rules = event.hasProperty('recurrence-id') ? [] : event.getAllProperties('rrule');
  for (const property of rules) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) throw new Unreadable('It has an RRULE that is not valid.');
    const last = rule.until;
    rule.until = null;
    const isOver = (wall: number): boolean => {
      if (last === null) return false;
      if (last.isDate) return wall >= wallOf(last) + day;
      return (last.zone === ICAL.Timezone.utcTimezone ? start.at(wall) : wall) > wallOf(last);
    };
    const iterator = rule.iterator(timeAt(start.wall, start.isDate));
    for (let next = iterator.next(); next; next = iterator.next()) {
      const wall = wallOf(next);
      if (wall >= until || (wall >= from && isOver(wall))) break;
      if (wall >= from) yield { ...start, wall };
    }
  }
  if (rules.length === 0) yield start;
  yield* momentsOf(event, 'rdate', zone);
}

/** Whether an entry of its recurrence is none: excluded, or one of `others`, those with its UID, stands for it. */
function leftOut(
  event: ICAL.Component,
  others: readonly ICAL.Component[],
  zone: string,
): (at: number, wall: number) => boolean {
  if (event.hasProperty('recurrence-id')) return () => false;
  if (others.some((each) => each.getFirstProperty('recurrence-id')?.getFirstParameter('range')))
    throw new Unreadable('It uses RANGE=THISANDFUTURE, which is not understood here.');
  const gone = [
    ...momentsOf(event, 'exdate', zone),
    ...others.flatMap((each) => momentsOf(each, 'recurrence-id', zone)),
  ];
  const days = new Set(gone.filter(({ isDate }) => isDate).map(({ wall }) => wall));
  const times = new Set(gone.filter(({ isDate }) => !isDate).map(({ wall, at }) => at(wall)));
  return (at, wall) => times.has(at) || days.has(wall - (wall % day));
}

function namesOf(event: ICAL.Component, match: Expansion['match']): string[] {
  if (match === 'summary') return [wordOf(event, 'summary').trim().slice(0, most.name)];
  const invited = event
    .getAllProperties('attendee')
    .filter((each) => String(each.getFirstParameter('partstat') ?? '').toUpperCase() !== 'DECLINED');
  const names = invited.slice(0, most.people).map((each) =>
    String(each.getFirstValue())
      .replace(/^mailto:/i, '')
      .trim()
      .slice(0, most.name),
  );
  return names.length === 0 ? [''] : names;
}
