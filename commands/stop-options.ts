import { type Markup, md, oneLine, trusted } from '../src/card.ts';
import type { NewStop, Option, Tools, View } from '../src/command.ts';
import type { Entry } from '../src/runs/entry.ts';
import { nearestIs } from '../src/text.ts';
import { durationText, momentOf } from '../src/time.ts';
import { scopeOf, stopLine } from '../src/view/words.ts';
import { maybe, readableLine } from './options.ts';
import { suggestTimes } from './suggest-times.ts';

const usual = 4 * 3_600_000;
const latest = 31 * 86_400_000;

/** When a freeze or a hold ends by itself, in ms; in canonical form, Unix seconds. */
export const end: Option<number> = {
  type: 'string',
  description: `When it ends by itself: 2h, 1d or 22:00; ${durationText(usual)} from now when left out`,
  isTime: true,
  example: '2h',
  max: 30,
  suggest: (context) => suggestTimes(context, 'future'),
  read(raw, { now, team: { zone }, refuse }) {
    const typed = String(raw ?? '').trim();
    if (typed === '') return now + usual;
    const at = momentOf(typed, { now, zone, toward: 'future' });
    if (typeof at !== 'number') return refuse(at.rule);
    return at > now && at <= now + latest
      ? at
      : refuse(`write a future time, at most ${durationText(latest)} from now, such as 2h, 22:00 or tomorrow 8:00`);
  },
  write: (ms) => String(Math.floor(ms / 1000)),
};

/** What others read who are stopped by it. */
export const cause: Option<string> = {
  type: 'string',
  description: 'Why: shown to everybody whom it stops, and kept in the ledger',
  example: 'database migration',
  required: true,
  max: 200,
  read: readableLine,
};

/** A tier of the policy, as it is written there. */
export const tier = maybe<string>({
  type: 'string',
  description: 'Only the servers of this tier; ALL servers when left out',
  example: 'production',
  max: 32,
  suggest: ({ typed, team }) =>
    team.tiers
      .filter((each) => each.toLowerCase().includes(typed.trim().toLowerCase()))
      .slice(0, 25)
      .map((each) => ({ name: each, value: each })),
  read(raw, { team, refuse }) {
    const typed = String(raw).trim().toLowerCase();
    const found = team.tiers.find((each) => each.toLowerCase() === typed);
    if (found !== undefined) return found;
    if (team.tiers.length === 0) return refuse('the policy gives no server a tier');
    return refuse(
      `write a tier of the policy: ${team.tiers.join(', ')}.${nearestIs(typed, team.tiers)}`.replace(/\.$/, ''),
    );
  },
});

/** The same, but also one that the policy does not name any more: its freeze must be possible to end. */
export const anyTier = maybe<string>({ ...tier, read: (raw) => oneLine(String(raw)) });

export const invalid = (fact: Markup, ...body: Markup[]): View => ({ outcome: 'invalid', body: [fact, ...body] });

/** The place of the command with its card, by which it is found again after a crash. */
export const placeOf = ({ place: { guild, channel, parent }, card }: Pick<Tools, 'place' | 'card'>) => ({
  ...{ guild, channel },
  parent,
  message: card,
});

const isStop = (entry: Entry): entry is Entry & NewStop =>
  entry.kind === 'frozen' || entry.kind === 'thawed' || entry.kind === 'held' || entry.kind === 'released';

/** The card after the bot stopped in the middle of it: what the ledger has of it. */
export function resume({ records, card }: Tools): View {
  const mine = records.past
    .events()
    .filter(isStop)
    .findLast(({ place }) => card !== undefined && place.message === card);
  if (mine === undefined)
    return {
      outcome: 'not-sent',
      body: [trusted('It was not recorded. Nothing changed.'), trusted('Type it again.')],
    };
  if (mine.kind === 'frozen' || mine.kind === 'held') return { fact: md`${stopLine(mine)}.`, body: [] };
  const what = mine.kind === 'thawed' ? scopeOf(mine) : md`${mine.server.name ?? String(mine.server.id)}`;
  return { fact: md`${trusted(mine.kind === 'thawed' ? 'Thawed' : 'Released')}: ${what}.`, body: [] };
}
