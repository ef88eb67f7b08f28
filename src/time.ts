/**
 * The grammar of time, one for all that people type: durations (30m, 6h, 3d, 1h30m), clocks (22:00), dates (2026-11-19,
 * yesterday), both, and Unix times in seconds. Read in the time zone of the team; a Z at the end means UTC.
 */

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const day = 86_400_000;

/** In ms. A leading minus means the same: whether a duration is before or after now is the option's to say. */
export function durationOf(text: string): number | undefined {
  const [, ...amounts] = /^-? ?(?:(\d{1,5}) ?d)? ?(?:(\d{1,5}) ?h)? ?(?:(\d{1,5}) ?m)?$/i.exec(text.trim()) ?? [];
  if (amounts.every((amount) => amount === undefined)) return undefined;
  return Object.values(units).reduce((sum, unit, at) => sum + unit * Number(amounts[at] ?? 0), 0);
}

/** "2h", "90m": the largest unit that gives a whole number. */
export function durationText(ms: number): string {
  const [name, unit] = Object.entries(units).find(([, each]) => ms % each === 0) ?? ['m', 60_000];
  return `${ms / unit}${name}`;
}

/** "2 d 5 h", "3 h 20 min", "less than a minute": how long something took, for people. */
export function spanText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  return largestOf(parts) || 'less than a minute';
}

/** The largest part that is there, and the next one if it is; empty where none is. */
export function largestOf(parts: readonly (readonly [amount: number, unit: string])[], space = ' '): string {
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first === -1 ? 0 : first + 2)
    .flatMap(([amount, unit]) => (amount > 0 ? [`${amount}${space}${unit}`] : []))
    .join(space);
}

/** "22 Nov 2026, 22:00 UTC", "22 Nov 2026, 22:00 (Europe/Berlin)": a time as clocks of that zone show it. */
export function clockText(ms: number, zone: string): string {
  const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const text = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...date, ...clock }).format(ms);
  return zone === 'UTC' ? `${text} UTC` : `${text} (${zone})`;
}

/** Whether the runtime knows a time zone of this IANA name. */
export function isZone(text: string): boolean {
  try {
    // Also "+01:00" is taken, on newer versions of Node alone.
    return /^[A-Za-z]/.test(text) && formatOf(text) !== undefined;
  } catch {
    return false;
  }
}

/** How a text is read. `toward`: where a duration or a clock leads. `end`: a date alone is its last moment. */
export interface Reading {
  now: number;
  zone: string;
  toward: 'past' | 'future';
  end?: boolean;
}

/** What is wrong, and what is accepted, for people. */
export const timeForm = ({ zone, toward }: Pick<Reading, 'zone' | 'toward'>): string =>
  toward === 'past'
    ? `this is not a time. Write 2h or 3d (ago), 22:00, yesterday 22:00, 2026-11-19, or 2026-11-19 22:00 (${zone})`
    : `this is not a time. Write 2h or 3d (from now), 22:00, tomorrow 8:00, or 2026-11-19 22:00 (${zone})`;

/**
 * The time that is meant, in ms and a whole second; or the rule that the text breaks. A clock without a date is the
 * last, or the next, time that clocks show it. A time of a date that clocks skip, or show twice, is not guessed.
 */
export function momentOf(text: string, reading: Reading): number | { rule: string } {
  const { now, toward } = reading;
  const typed = text.trim();
  if (/^\d{9,10}$/.test(typed)) return Number(typed) * 1000;
  // What is to come is never so long ago.
  const duration = toward === 'future' && typed.startsWith('-') ? undefined : durationOf(typed);
  const at = duration === undefined ? calendar(typed, reading) : now + (toward === 'past' ? -duration : duration);
  if (typeof at === 'object') return at;
  // Their Unix times have nine or ten digits. What is older or later is a typo.
  return at !== undefined && at >= 1e11 && at < 1e13 ? Math.floor(at / 1000) * 1000 : { rule: timeForm(reading) };
}

const form =
  /^(?<date>\d{4}-\d{2}-\d{2}|today|yesterday|tomorrow)?(?:(?:^|(?<=.)[ T])(?<clock>\d{1,2}:\d{2}(?::\d{2})?)(?:\.000)?)?(?<utc>Z)?$/i;
const days: Readonly<Record<string, number>> = { today: 0, yesterday: -day, tomorrow: day };

function calendar(text: string, reading: Reading): number | { rule: string } | undefined {
  const { date, clock, utc } = form.exec(text)?.groups ?? {};
  const zone = utc === undefined ? reading.zone : 'UTC';
  const here = wallAt(reading.now, zone);
  const today = here - (here % day);
  const time = clock === undefined ? 0 : timeOf(clock);
  const start = date === undefined ? today : dateOf(date, today);
  if ((date ?? clock) === undefined || time === undefined || start === undefined) return undefined;
  if (date === undefined) return nearest(today + time, reading, zone);
  if (clock === undefined) return instantOf(reading.end ? start + day : start, zone);
  return only(start + time, zone);
}

function timeOf(clock: string): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return hours < 24 && minutes < 60 && seconds < 60 ? ((hours * 60 + minutes) * 60 + seconds) * 1000 : undefined;
}

/** Undefined for days that do not exist, such as 30 February. */
function dateOf(text: string, today: number): number | undefined {
  const distance = days[text.toLowerCase()];
  if (distance !== undefined) return today + distance;
  const at = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : undefined;
}

/** The last time, or the next, that clocks show this time of day. */
function nearest(wall: number, { now, toward }: Reading, zone: string): number | undefined {
  const all = [-2, -1, 0, 1, 2].flatMap((days) => instants(wall + days * day, zone));
  return toward === 'past' ? all.findLast((at) => at <= now) : all.find((at) => at > now);
}

function only(wall: number, zone: string): number | { rule: string } {
  const [first, second] = instants(wall, zone);
  const [date = '', clock = ''] = new Date(wall).toISOString().slice(0, 16).split('T');
  if (first === undefined) return { rule: `the clocks of ${zone} skip ${clock} on ${date}: they go forward then` };
  if (second === undefined) return first;
  const [one, other] = [first, second].map((at) => `${new Date(at).toISOString().slice(0, 16)}Z`);
  return { rule: `the clocks of ${zone} show ${clock} twice on ${date}: write ${one} or ${other}` };
}

/** The first instant at which clocks show that time; where they skip it, that of the clock before. `wall` is as if it were UTC. */
export const instantOf = (wall: number, zone: string): number =>
  instants(wall, zone)[0] ?? wall - offsetAt(wall - day, zone);

/** When clocks show that time: once; never or twice where they are changed. `wall` is as if it were UTC. */
function instants(wall: number, zone: string): number[] {
  const offsets = new Set([offsetAt(wall - day, zone), offsetAt(wall + day, zone)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => wallAt(at, zone) === wall)
    .sort((a, b) => a - b);
}

const offsetAt = (ms: number, zone: string): number => wallAt(ms, zone) - ms;

/** What clocks show, as if it were UTC. */
function wallAt(ms: number, zone: string): number {
  const second = Math.floor(ms / 1000) * 1000;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const [year, month, date] = [part('year'), part('month') - 1, part('day')];
  return Date.UTC(year, month, date, part('hour'), part('minute'), part('second')) + (ms - second);
}

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
