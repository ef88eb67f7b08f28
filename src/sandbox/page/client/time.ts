const units: readonly [name: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

const forms: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { hour: '2-digit', minute: '2-digit' },
  T: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  d: { day: '2-digit', month: '2-digit', year: 'numeric' },
  D: { day: 'numeric', month: 'long', year: 'numeric' },
  f: { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  F: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
};

/** A time in one of Discord's styles, in the reader's time zone; `R` is relative to `now`. Both in ms. */
export function moment(at: number, style: string, now: number): string {
  if (Number.isNaN(new Date(at).getTime())) return 'Invalid date';
  if (style === 'R') return relative(at - now);
  return new Intl.DateTimeFormat('en-GB', { ...(forms[style] ?? forms['f']), hourCycle: 'h23' }).format(at);
}

function relative(ms: number): string {
  const away = Math.round(Math.abs(ms) / 1000) * 1000;
  const [unit, size] = units.find(([, each]) => away >= each) ?? ['second', 1000];
  const count = Math.round(away / size) * (ms < 0 ? -1 : 1);
  return count === 0 ? 'just now' : new Intl.RelativeTimeFormat('en').format(count, unit);
}

/** The time beside a message's author: "Today at 10:04". */
export function sentAt(at: number, now: number): string {
  const day = (ms: number): string => new Date(ms).toDateString();
  const time = moment(at, 't', now);
  if (day(at) === day(now)) return `Today at ${time}`;
  if (day(at) === day(now - 86_400_000)) return `Yesterday at ${time}`;
  return `${moment(at, 'd', now)} ${time}`;
}
