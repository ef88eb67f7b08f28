import { type Markup, md, moment, trusted } from '../card.ts';
import type { Checked } from '../command.ts';
import type { Finding, Kind } from '../runs/entry.ts';

/** Part of the trail that is not as posted. `from` and `to` are `seq` of entries. */
export interface FindingPlace {
  finding: Finding;
  channel: string;
  message: string;
  from?: number;
  to?: number;
}

/** Whether nothing differs that nobody has acknowledged. */
export const isSettled = ({ problem, channel, findings }: Checked): boolean =>
  problem === undefined &&
  (channel?.strange ?? []).length === 0 &&
  channel?.contradiction?.state !== 'new' &&
  findings.every(({ acknowledged }) => acknowledged !== undefined);

/** Whether everything was compared, too. */
export const isClean = (checked: Checked): boolean =>
  isSettled(checked) && checked.channel?.part !== true && checked.channel?.unread === undefined;

const rewritten = 'the ledger does not have that as it was posted: it was cut off, rewritten or replaced';

const meanings: Record<Exclude<Finding, 'deleted' | 'missing' | 'unvouched'>, string> = {
  edited: 'it was edited',
  changed: 'it does not say what the ledger says',
  reordered: 'it does not stand in its place',
  strange: rewritten,
  ahead: rewritten,
};

const rangeOf = (from: number, to: number): string => (to === from ? `entry ${from}` : `entries ${from} to ${to}`);

/** "[message](…)" */
export const messageLink = ({ channel, message }: Pick<FindingPlace, 'channel' | 'message'>, guild: string): string =>
  `[message](https://discord.com/channels/${guild}/${channel}/${message})`;

/** "[message](…), entries 4 to 6: it was edited." `since`: by whom and when. `isKept`: the ledger has them. */
export function findingWords(place: FindingPlace, guild: string, since = '', isKept = true): Markup {
  const { finding, from, to = from } = place;
  const link = messageLink(place, guild);
  if (from === undefined || to === undefined) return trusted(`${link}: ${meaningOf(finding)}${since}.`);
  const range = rangeOf(from, to);
  const kept = isKept ? ` The ledger still has ${to === from ? 'it' : 'them'}.` : '';
  switch (finding) {
    case 'missing':
      return trusted(`${range}: gone from the channel, before this ${link}${since}.${kept}`);
    case 'deleted':
      return trusted(`${range}: deleted from the channel${since}.${kept}`);
    case 'unvouched':
      return trusted(
        `${range}: it settles findings, and neither the channel nor a seal of the bot vouches for it${since}.`,
      );
    case 'strange':
    case 'ahead':
      return trusted(`${range}, up to this ${link}: ${rewritten}${since}.`);
    default:
      return trusted(`${link}, ${range}: ${meanings[finding]}${since}.`);
  }
}

const meaningOf = (finding: Finding): string =>
  finding === 'deleted' || finding === 'missing' || finding === 'unvouched'
    ? 'gone from the channel'
    : meanings[finding];

/** Like `findingWords`, for a recorded finding. Adds when it was noticed, and who did it, if an earlier release knew. */
export function foundWords(found: Kind<'tampered'>, guild: string): Markup {
  const { seq, time, finding, from, to = from, unsaid, actor } = found;
  const isDeed = (finding === 'deleted' || finding === 'edited') && unsaid !== true;
  const since = `${isDeed ? ` by <@${actor.id}>` : ''}, noticed ${moment(Date.parse(time)).markup}`;
  if (finding === 'deleted' && from === undefined)
    return md`Finding ${seq}: messages of the trail were deleted${trusted(since)}.`;
  return md`Finding ${seq}: ${findingWords(found, guild, since, finding === 'missing' || (to ?? seq) < seq)}`;
}
