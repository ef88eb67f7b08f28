import type { Choice, SuggestContext } from '../src/command.ts';
import { momentOf } from '../src/time.ts';

/** Discord's limits for a choice. */
const maxName = 100;
const maxValue = 100;

const usual = {
  past: ['30m', '2h', '6h', '1d', '3d', '7d', 'today', 'yesterday', 'yesterday 22:00'],
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

/** The same for the last of several with commas, each perhaps of one disk: `0=22:00,1=6h`. What is to come is left out. */
export function suggestTimesByDisk(context: SuggestContext): Choice[] {
  const { typed, now, team } = context;
  const [before = '', piece = ''] = /^((?:.*,)? *(?:\d{1,3} *=)? *)(.*)$/.exec(typed)?.slice(1) ?? [];
  return suggestTimes({ ...context, typed: piece }, 'past')
    .filter(({ value }) => {
      const at = momentOf(String(value), { now, zone: team.zone, toward: 'past' });
      return typeof at === 'number' && at <= now;
    })
    .map(({ name, value }) => ({ name: `${before}${name}`.slice(0, maxName), value: `${before}${value}` }))
    .filter(({ value }) => value.length <= maxValue);
}
