import type { Backups, Choice, SuggestContext } from '../src/command.ts';
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

/** As many as leave room for the usual times. */
const mostBackups = 16;

/**
 * Times in the past for the last of several with commas, each perhaps of one disk: `0=22:00,1=6h`. First the dates of the
 * server's backups, where the panel lists them; otherwise each time says that they could not be read, or that there are none.
 */
export async function suggestTimesByDisk(context: SuggestContext): Promise<Choice[]> {
  const { typed, now, team, options, find, backups } = context;
  const [before = '', piece = ''] = /^((?:.*,)? *(?:\d{1,3} *=)? *)(.*)$/.exec(typed)?.slice(1) ?? [];
  const target = find(String(options['server'] ?? ''));
  const listed = target && (await backups(target));
  const found = listed === 'unread' ? [] : (listed ?? []);
  const times = suggestTimes({ ...context, typed: piece }, 'past').filter(({ value }) => {
    const at = momentOf(String(value), { now, zone: team.zone, toward: 'past' });
    return typeof at === 'number' && at <= now;
  });
  const dates = found
    // The second after it: a backup is not older than itself.
    .map((at) => ({ name: `backup of ${shown(at, team.zone)}`, value: String(Math.ceil(at / 1000)) }))
    .filter(
      ({ name, value }) =>
        ` ${name.toLowerCase()}`.includes(` ${piece.trim().toLowerCase()}`) || value === piece.trim(),
    );
  return [
    ...dates.slice(0, mostBackups),
    ...times.map((time) => ({ ...time, name: `${time.name}${noBackups(listed)}` })),
  ]
    .map(({ name, value }) => ({ name: `${before}${name}`.slice(0, maxName), value: `${before}${value}` }))
    .filter(({ value }) => value.length <= maxValue);
}

function noBackups(listed: Backups): string {
  if (listed === 'unread') return ' · backups could not be read';
  return listed?.length === 0 ? ' · the panel lists no backup' : '';
}
