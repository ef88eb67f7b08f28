import { type Markup, md, moment, trusted } from '../card.ts';
import type { Checked } from '../command.ts';
import { madeAt } from '../outcome.ts';
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

const at = (ms: number): string => moment(ms).markup;

/** Like `findingWords`, for a recorded finding. Adds who did it and when, if an earlier release recorded that. */
export function foundWords(found: Kind<'tampered'>, guild: string): Markup {
  const { seq, time, finding, from, to = from, unsaid, actor } = found;
  const isDeed = (finding === 'deleted' || finding === 'edited') && unsaid !== true;
  const noticed = `, noticed ${at(Date.parse(time))}`;
  if (finding === 'deleted' && from === undefined) return md`Finding ${seq}: ${trusted(logged(found, noticed))}`;
  const since = isDeed ? ` by <@${actor.id}>${when(found) ?? noticed}` : noticed;
  return md`Finding ${seq}: ${findingWords(found, guild, since, finding === 'missing' || (to ?? seq) < seq)}`;
}

/** When it was done. Undefined if Discord's entry counts several deletions under the time of the first. */
function when({ attributed = {} }: Kind<'tampered'>): string | undefined {
  const [first, ...others] = Object.entries(attributed);
  if (first === undefined || others.length > 0) return undefined;
  const [id, count] = first;
  return count === 1 ? ` ${at(madeAt(id))}` : undefined;
}

/** Of earlier releases, a deletion from Discord's audit log: how many messages, by whom and when, but not which. */
function logged({ attributed, message, unsaid, actor }: Kind<'tampered'>, noticed: string): string {
  const counts = Object.values(attributed ?? {});
  const n = counts.length === 0 ? undefined : counts.reduce((sum, each) => sum + each, 0);
  const by = unsaid === true ? '' : ` by <@${actor.id}>`;
  if (n === 1) return `a message of the trail was deleted${by} ${at(madeAt(message))}${noticed}.`;
  const said = n === undefined ? '' : `; Discord's audit log counts ${n}`;
  return `messages of the trail were deleted${by}, the first ${at(madeAt(message))}${noticed}${said}.`;
}
