import type { Checked, Contradiction, TrailDifference } from '../command.ts';
import { type Entries, eventsIn } from '../runs/entries.ts';
import { contradicts, type FindingState, findingsIn } from '../runs/findings.ts';
import type { AuditChannel, Message } from './channel.ts';
import { compare, compareFiles, type Discrepancy, isIn, trailRange } from './compare.ts';
import { beginOf, history, maxPages, postedIn, TooManyMessages } from './position.ts';
import { unreported, unvouchedEntries } from './reported.ts';
import { createSeals } from './seals.ts';

/** The ledger as read from its store: the valid entries, and the first invalid one. */
export interface StoredLedger extends Pick<Checked, 'head' | 'problem'> {
  entries: Entries;
}

/** Reads the trail, oldest first, to the channel's beginning: an earlier ledger may have begun the same way. */
async function readTrail(channel: Pick<AuditChannel, 'page'>, pages: number) {
  const messages: Message[] = [];
  let count = 0;
  let isComplete = true;
  try {
    for await (const page of history(channel, pages)) {
      count += page.length;
      messages.push(...page.filter((message) => trailRange(message) !== undefined));
    }
  } catch (error) {
    if (!(error instanceof TooManyMessages)) throw error;
    isComplete = false;
  }
  return { messages: messages.reverse(), count, isComplete };
}

/** The channel to compare with. Without the key, no seal is valid. */
export interface ChannelToCompare extends Pick<AuditChannel, 'id' | 'page' | 'file'> {
  sealKey?: string;
}

/** Compares the ledger, by `read`, with the channel, if there is one. Rejects with any error of either. */
export async function check(
  read: () => Promise<StoredLedger>,
  channel?: ChannelToCompare,
  pages: number = maxPages,
): Promise<Checked> {
  let stored = await read();
  if (channel === undefined) return checked(stored);
  const begin = beginOf(stored.entries, channel.id);
  const { messages, count, isComplete } = await readTrail(channel, pages);
  const seals = channel.sealKey === undefined ? { match: () => false } : createSeals(channel.sealKey);
  const forged = (): Discrepancy[] => unvouchedEntries(stored.entries, channel.id, postedIn(messages), seals);
  const differences = (): Discrepancy[] => [
    ...compare(messages, stored.entries, isComplete ? begin : undefined),
    ...forged(),
  ];
  let found = differences();
  if (found.length > 0 && stored.problem === undefined) {
    // Entries may have been appended and posted while this read the channel.
    stored = await read();
    found = differences();
  }
  const files = await compareFiles(channel, messages, stored.entries, 'all');
  found = [...found, ...files.found];
  const posted = postedIn(messages).filter((each) => isIn(stored.entries, each));
  const reach = posted.reduce((most, { to }) => Math.max(most, to), (begin ?? stored.head.seq + 1) - 1);
  // What the ledger held after its first invalid entry is unknown.
  const certain = stored.problem === undefined ? found : found.filter(({ finding }) => finding !== 'ahead');
  const result = checked(stored, forged());
  const contradiction = contradictionOf(certain, stored.entries, result.findings, channel.id);
  const left = unreported(certain, stored.entries, channel.id).map((each) => ({ ...each, channel: channel.id }));
  // Entries after the end of a broken or truncated ledger may have been posted long ago.
  const isShort = stored.problem !== undefined || left.some(({ finding }) => finding === 'ahead');
  return {
    ...result,
    channel: {
      messages: count,
      contradiction,
      strange: left.filter((each) => !contradicts(each)),
      ...(files.unread.length === 0 ? {} : { unread: files.unread }),
      waiting: isShort ? 0 : Math.max(0, stored.head.seq - reach),
      ...(isComplete ? {} : { part: true as const }),
    },
  };
}

/** A forged acknowledgement does not count. */
function checked({ head, problem, entries }: StoredLedger, forged: readonly Discrepancy[] = []): Checked {
  const isForged = (seq: number | undefined): boolean => forged.some(({ from }) => from === seq);
  const findings = findingsIn(eventsIn(entries)).map((each) =>
    isForged(each.acknowledged?.seq) ? { found: each.found } : each,
  );
  return { head, findings, problem };
}

type Span = Contradiction['spans'][number];

/** The messages that contradict the ledger now, oldest first, whether reported or not. */
function contradictionOf(
  discrepancies: readonly Discrepancy[],
  entries: Entries,
  findings: readonly FindingState[],
  channel: string,
): Contradiction | undefined {
  const foreign = discrepancies.filter(contradicts);
  if (foreign.length === 0) return undefined;
  const isNew = unreported(foreign, entries, channel).length > 0;
  const isOpen = findings.some(({ found, acknowledged }) => acknowledged === undefined && contradicts(found));
  return {
    spans: spansOf(foreign.map((each) => ({ ...each, channel }))),
    messages: foreign.length,
    state: isNew ? 'new' : isOpen ? 'open' : 'acknowledged',
  };
}

/** Merges messages with consecutive entries. */
function spansOf(messages: readonly TrailDifference[]): Span[] {
  const spans: Span[] = [];
  for (const each of messages) {
    const before = spans.at(-1);
    const isNext = before?.last.to !== undefined && each.from === before.last.to + 1;
    if (isNext) spans[spans.length - 1] = { ...before, last: each, messages: before.messages + 1 };
    else spans.push({ first: each, last: each, messages: 1 });
  }
  return spans;
}
