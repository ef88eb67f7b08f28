import { type Markup, md, quote, trusted } from '../card.ts';
import type { Kind } from '../runs/entry.ts';
import type { Formatter } from './formatter.ts';

/** The details of a freeze or a hold, and of their ends. */
export function ofStop(entry: Kind<'frozen' | 'thawed' | 'held' | 'released'>, { time }: Formatter): Markup[] {
  const scope = 'tier' in entry && entry.tier !== undefined ? md`Tier ${entry.tier}.` : trusted('All servers.');
  return [
    'server' in entry ? md`Server ${entry.server.name ?? String(entry.server.id)} (${entry.server.id}).` : scope,
    ...('until' in entry ? [untilWords(entry.until, time)] : []),
    ...(entry.kind === 'held' && entry.over !== undefined ? [md`Takes over from entry ${entry.over}.`] : []),
    ...('ends' in entry ? [md`Ends entry ${entry.ends}.`] : []),
    ...(entry.why === undefined ? [] : [md`Why: ${entry.why}`]),
  ];
}

/** An invalid time is shown as it is. */
const untilWords = (until: string, time: Formatter['time']): Markup =>
  Number.isNaN(Date.parse(until)) ? md`Until ${quote(until)}.` : md`Until ${time(until)}.`;
