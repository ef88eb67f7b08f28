import type { Choice, SuggestContext } from '../src/command.ts';
import { momentOf } from '../src/time.ts';

/** Discord's limit for the name of a choice. */
const maxName = 100;

const usual = {
  past: ['30m', '2h', '6h', '1d', '3d', '7d', 'today', 'yesterday'],
  future: ['30m', '1h', '2h', '8h', '1d', 'tomorrow 8:00'],
};

/** Times, with how each would be understood: of a number its units, of anything else that begins so, or itself. */
export function suggestTimes(
  { typed, now, team: { zone } }: SuggestContext,
  toward: 'past' | 'future',
  end = false,
): Choice[] {
  const text = typed.trim().toLowerCase();
  const units = /^-?\d{1,4}$/.test(text) ? ['m', 'h', 'd'].map((unit) => `${text}${unit}`) : [];
  const others = usual[toward].filter((each) => each.startsWith(text));
  return [...new Set([...units, ...others, ...(text === '' ? [] : [typed.trim()])])].flatMap((value) => {
    const at = momentOf(value, { now, zone, toward, end });
    return typeof at === 'number' ? [{ name: `${value} · ${shown(at, zone)}`.slice(0, maxName), value }] : [];
  });
}

/** "Thu 19 Nov, 22:00 (Europe/Berlin)" */
function shown(at: number, zone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return `${new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...day, ...clock }).format(at)} (${zone})`;
}
