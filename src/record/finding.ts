import { type Markup, md, moment, own } from '../card.ts';
import type { Finding, Kind } from '../runs/entry.ts';

/** Part of the trail that is not as posted. `from` and `to` are `seq` of entries. */
export interface FindingPlace {
  finding: Finding;
  channel: string;
  message: string;
  from?: number;
  to?: number;
}

const meanings: Record<Exclude<Finding, 'deleted' | 'missing' | 'unvouched'>, string> = {
  edited: 'it was edited',
  changed: 'it does not say what the ledger says',
  reordered: 'it does not stand in its place',
  strange: 'it looks like the trail, and stands for nothing in the ledger',
  ahead: 'it stands for entries that the ledger does not have: the ledger was cut off, or replaced',
};

const kept = 'The ledger still has them.';

/** "[message](…), entries 4 to 6: it was edited." `since`: by whom and when, after a space or a comma. */
export function findingWords(
  { finding, channel, message, from, to = from }: FindingPlace,
  guild: string,
  since = '',
): Markup {
  const link = `[message](https://discord.com/channels/${guild}/${channel}/${message})`;
  const range = from === undefined ? 'A part of the trail' : to === from ? `entry ${from}` : `entries ${from} to ${to}`;
  switch (finding) {
    case 'missing':
      return own(`${range}: the message is gone that stood before this ${link}${since}. ${kept}`);
    case 'deleted':
      // The ledger may have been cut off with it.
      if (from === undefined) return own(`something in the channel was deleted${since}. Discord does not say what.`);
      return own(`${range}: the message was deleted${since}. ${kept}`);
    case 'unvouched':
      return own(
        `${range}: it settles findings, and neither the channel nor a seal of the bot vouches for it${since}.`,
      );
    default:
      return own(`${link}${from === undefined ? '' : `, ${range}`}: ${meanings[finding]}${since}.`);
  }
}

/** The same for a recorded finding, with the person if Discord named one. */
export function foundWords(found: Kind<'tampered'>, guild: string): Markup {
  const { seq, time, finding, unsaid, actor } = found;
  const isDeed = (finding === 'deleted' || finding === 'edited') && unsaid !== true;
  const at = moment(Date.parse(time)).markup;
  return md`no. ${seq}, ${findingWords(found, guild, isDeed ? ` by <@${actor.id}> ${at}` : `, noticed ${at}`)}`;
}
