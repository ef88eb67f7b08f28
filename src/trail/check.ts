import type { Checked, Strange } from '../command.ts';
import type { Entry } from '../ledger/entry.ts';
import { compare, isIn, type Message, type Oddity, trailRange } from './compare.ts';
import type { TrailDesk } from './desk.ts';
import { recorded } from './known.ts';
import { beginOf } from './place.ts';
import { history, mostPages, postedIn } from './reader.ts';

/** The ledger as it was read from where it is kept: the entries that stand, and the first that is not as it was written. */
export interface Kept extends Pick<Checked, 'head' | 'problem'> {
  entries: readonly Entry[];
}

/** The audit channel could not be read: it is gone, or the bot may not. */
export class ChannelClosed extends Error {
  constructor() {
    super('the audit channel cannot be read');
    this.name = 'ChannelClosed';
  }
}

interface Channel {
  id: string;
  desk: TrailDesk;
  /** How many pages of a hundred messages are read at most. */
  pages?: number;
}

/**
 * The messages of the trail, oldest first, and how many there are of all. It reads to the channel's end: where a trail seems
 * to begin, that of a ledger which was written anew may begin.
 */
async function gather({ desk, pages = mostPages }: Channel) {
  const messages: Message[] = [];
  let count = 0;
  for await (const page of history(desk, pages)) {
    if (page === 'closed') throw new ChannelClosed();
    if (page === 'more') return { messages: messages.reverse(), count, whole: false };
    count += page.length;
    messages.push(...page.filter((message) => trailRange(message) !== undefined));
  }
  return { messages: messages.reverse(), count, whole: true };
}

/**
 * Reads the ledger anew with `read`, and holds the channel against it, where there is one. Rejects with ChannelClosed, and with
 * what `read` and the desk reject with.
 */
export async function check(read: () => Promise<Kept>, channel?: Channel): Promise<Checked> {
  let kept = await read();
  if (channel === undefined) return checked(kept);
  const begin = beginOf(kept.entries, channel.id);
  const { messages, count, whole } = await gather(channel);
  const hold = (): Oddity[] => compare(messages, kept.entries, whole ? begin : undefined);
  let found = hold();
  if (found.length > 0 && kept.problem === undefined) {
    // What was recorded and posted while the channel was read.
    kept = await read();
    found = hold();
  }
  const posted = postedIn(messages).filter((each) => isIn(kept.entries, each));
  const reach = posted.reduce((most, { to }) => Math.max(most, to), (begin ?? kept.head.seq + 1) - 1);
  // Behind the first entry that does not stand, nobody can say what the ledger had.
  const sure = kept.problem === undefined ? found : found.filter(({ finding }) => finding !== 'ahead');
  const strange = recorded(sure, kept.entries, channel.id).map((each) => strangeOf(each, channel.id));
  // What lies behind the end of a broken or shortened ledger may have been posted long ago.
  const isShort = kept.problem !== undefined || strange.some(({ finding, known }) => finding === 'ahead' && !known);
  return {
    ...checked(kept),
    channel: {
      messages: count,
      strange,
      waiting: isShort ? 0 : Math.max(0, kept.head.seq - reach),
      ...(whole ? {} : { part: true as const }),
    },
  };
}

const checked = ({ head, problem }: Kept): Checked => ({ head, ...(problem === undefined ? {} : { problem }) });

function strangeOf({ told, ...oddity }: ReturnType<typeof recorded>[number], channel: string): Strange {
  if (told === undefined) return { ...oddity, channel };
  const { seq, time, finding, actor, unsaid } = told;
  const isDeed = (finding === 'deleted' || finding === 'edited') && unsaid !== true;
  return { ...oddity, channel, known: { seq, time, finding, ...(isDeed ? { by: actor } : {}) } };
}
