import type { Checked } from '../command.ts';
import type { Entry } from '../ledger/entry.ts';
import { compare, isIn, type Message, type Oddity } from './compare.ts';
import type { TrailDesk } from './desk.ts';
import { beginOf, type Posted } from './place.ts';
import { history, pageSize, postedIn } from './reader.ts';

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

/** How many messages are read at most, in pages. */
const pages = 100;

/** The channel's messages back to where the trail begins, oldest first. */
async function gather(desk: TrailDesk, entries: readonly Entry[], begin: number | undefined) {
  const messages: Message[] = [];
  const isBegin = (posted: Posted): boolean => begin !== undefined && posted.from <= begin && isIn(entries, posted);
  let whole = false;
  for await (const page of history(desk, pages)) {
    if (page === 'closed') throw new ChannelClosed();
    messages.push(...page);
    whole = page.length < pageSize || postedIn(page).some(isBegin);
    if (whole) break;
  }
  return { messages: messages.reverse(), whole };
}

/**
 * Reads the ledger anew with `read`, and holds the channel against it, where there is one. Rejects with ChannelClosed, and with
 * what `read` and the desk reject with.
 */
export async function check(read: () => Promise<Kept>, channel?: { id: string; desk: TrailDesk }): Promise<Checked> {
  let kept = await read();
  if (channel === undefined) return checked(kept);
  const begin = beginOf(kept.entries, channel.id);
  const { messages, whole } = await gather(channel.desk, kept.entries, begin);
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
  const strange = kept.problem === undefined ? found : found.filter(({ finding }) => finding !== 'ahead');
  return {
    ...checked(kept),
    channel: {
      messages: messages.length,
      strange: strange.map((each) => ({ ...each, channel: channel.id })),
      waiting: Math.max(0, kept.head.seq - reach),
      ...(whole ? {} : { part: true as const }),
    },
  };
}

const checked = ({ head, problem }: Kept): Checked => ({ head, ...(problem === undefined ? {} : { problem }) });
