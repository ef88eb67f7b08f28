import type { Checked } from '../command.ts';
import { defined } from '../defined.ts';
import type { Entry } from '../runs/entry.ts';
import { contradicts, findingsIn } from '../runs/findings.ts';
import type { AuditChannel, Message } from './channel.ts';
import { compare, isIn, type Oddity, trailRange } from './compare.ts';
import { contradictionOf } from './contradiction.ts';
import { beginOf } from './position.ts';
import { history, mostPages, postedIn, TooMuch } from './reader.ts';
import { unreported } from './reported.ts';
import { createSeals } from './seals.ts';
import { unvouched } from './vouched.ts';

/** The ledger as it was read from where it is kept: the entries that stand, and the first that is not as it was written. */
export interface Kept extends Pick<Checked, 'head' | 'problem'> {
  entries: readonly Entry[];
}

/**
 * The messages of the trail, oldest first, and how many there are of all. It reads to the channel's end: where a trail seems
 * to begin, that of a ledger which was replaced may begin.
 */
async function gather(channel: Pick<AuditChannel, 'page'>, pages: number) {
  const messages: Message[] = [];
  let count = 0;
  let whole = true;
  try {
    for await (const page of history(channel, pages)) {
      count += page.length;
      messages.push(...page.filter((message) => trailRange(message) !== undefined));
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    whole = false;
  }
  return { messages: messages.reverse(), count, whole };
}

/** The channel to compare with. Without the key no seal counts. */
export interface Compared extends Pick<AuditChannel, 'id' | 'page'> {
  sealKey?: string;
}

/**
 * Reads the ledger with `read`, and compares the channel with it, where there is one. Rejects with ChannelClosed, and with what
 * `read` and the channel reject with.
 */
export async function check(
  read: () => Promise<Kept>,
  channel?: Compared,
  pages: number = mostPages,
): Promise<Checked> {
  let kept = await read();
  if (channel === undefined) return checked(kept);
  const begin = beginOf(kept.entries, channel.id);
  const { messages, count, whole } = await gather(channel, pages);
  const seals = channel.sealKey === undefined ? { match: () => false } : createSeals(channel.sealKey);
  const forged = (): Oddity[] => unvouched(kept.entries, channel.id, postedIn(messages), seals);
  const differences = (): Oddity[] => [...compare(messages, kept.entries, whole ? begin : undefined), ...forged()];
  let found = differences();
  if (found.length > 0 && kept.problem === undefined) {
    // What was recorded and posted while the channel was read.
    kept = await read();
    found = differences();
  }
  const posted = postedIn(messages).filter((each) => isIn(kept.entries, each));
  const reach = posted.reduce((most, { to }) => Math.max(most, to), (begin ?? kept.head.seq + 1) - 1);
  // Behind the first entry that does not stand, nobody can say what the ledger had.
  const sure = kept.problem === undefined ? found : found.filter(({ finding }) => finding !== 'ahead');
  const result = checked(kept, forged());
  const contradiction = contradictionOf(sure, kept.entries, result.findings, channel.id);
  const left = unreported(sure, kept.entries, channel.id).map((each) => ({ ...each, channel: channel.id }));
  // What lies behind the end of a broken or shortened ledger may have been posted long ago.
  const isShort = kept.problem !== undefined || left.some(({ finding }) => finding === 'ahead');
  return {
    ...result,
    channel: {
      messages: count,
      ...defined({ contradiction }),
      strange: left.filter((each) => !contradicts(each)),
      waiting: isShort ? 0 : Math.max(0, kept.head.seq - reach),
      ...(whole ? {} : { part: true as const }),
    },
  };
}

/** What a forged entry settled is not settled. */
function checked({ head, problem, entries }: Kept, forged: readonly Oddity[] = []): Checked {
  const isForged = (seq: number | undefined): boolean => forged.some(({ from }) => from === seq);
  const findings = findingsIn(entries).map((each) => (isForged(each.acknowledged?.seq) ? { found: each.found } : each));
  return { head, findings, ...defined({ problem }) };
}
