const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const day = 86_400_000;

/** What `readMoment` accepts, described for people. */
export const momentForm = 'a time such as 2h or 3d (ago), 2026-11-19, or 2026-11-19 22:00 (UTC)';

/**
 * Parses a time, in ms: "30m", "2h" or "3d" ago, a Unix time in seconds, "2026-11-19" or "2026-11-19 22:00" (UTC). A
 * date alone is its start, or as the `end` of a range its end. Undefined for a day that does not exist or a time
 * before 1973.
 */
export function readMoment(text: string, now: number, end?: 'end'): number | undefined {
  const typed = text.trim();
  if (/^\d{9,10}$/.test(typed)) return Number(typed) * 1000;
  const [, amount, unit = ''] = /^-?(\d{1,5}) ?([mhd])$/.exec(typed) ?? [];
  if (amount !== undefined) return Math.floor((now - Number(amount) * (units[unit] ?? 0)) / 1000) * 1000;
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.000)?Z?)?$/.exec(typed) ?? [];
  const at = new Date(`${date}T${time ?? '00:00'}Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(`${date}T${time ?? ''}`)) return undefined;
  if (at.getTime() < 100_000_000_000) return undefined;
  return at.getTime() + (time === undefined && end === 'end' ? day : 0);
}
