import type { Ledger } from '../ledger/ledger.ts';
import { bySeq, type Entries, eventsIn } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';
import type { Range } from '../view/trail.ts';
import type { AuditChannel, Message } from './channel.ts';
import { isForeign, isIn, trailRange } from './compare.ts';

/** The newest message of the trail in its channel, and its last entry. */
export type Reach = NonNullable<Kind<'stopped'>['reach']>;

export interface Posted extends Range {
  message: string;
}

/** The `seq` of the first entry that names this channel as the audit channel. Older entries do not belong there. */
export const beginOf = (entries: Entries, channel: string): number | undefined =>
  eventsIn(entries).find((entry) => entry.kind === 'started' && entry.facts['audit'] === channel)?.seq;

/** The end of the trail, from this process or the last recorded stop, whichever is further. */
export function knownEnd(entries: Entries, channel: string, own?: Reach): Reach | undefined {
  const stop = eventsIn(entries).findLast((entry) => entry.kind === 'stopped' && entry.reach?.channel === channel);
  const recorded = stop?.kind === 'stopped' ? stop.reach : undefined;
  return own !== undefined && own.seq > (recorded?.seq ?? 0) ? own : recorded;
}

/** The `seq` to post after the channel's newest message. 'ahead': the ledger lacks what that message has. */
function nextFrom(entries: Entries, channel: string, newest: Posted | undefined): number | 'ahead' | undefined {
  if (newest === undefined) return beginOf(entries, channel);
  if (isIn(entries, newest)) return newest.to + 1;
  return eventsIn(entries).findLast((entry) => isForeign(entry) && entry.message === newest.message)?.seq ?? 'ahead';
}

/**
 * At most 25 characters, for the first few billion entries. For a repeated nonce, Discord returns the old message. So
 * lines that were deleted get a new nonce, and so do those of another ledger with the same beginning.
 */
export function nonceFor(entries: Entries, from: number): string {
  // A report comes after the entries that it concerns.
  const deleted = eventsIn(entries).findLast(
    (entry) =>
      entry.seq > from &&
      entry.kind === 'tampered' &&
      entry.finding === 'deleted' &&
      (entry.from ?? 0) <= from &&
      from <= (entry.to ?? 0),
  );
  const { hash = '' } = deleted ?? bySeq(entries, from) ?? {};
  return `trail-${from}-${hash.slice(0, 8)}`;
}

const pageSize = 100;

/** The default maximum number of pages to read. */
export const maxPages = 1_000;

/** The channel has more messages than the limit. */
export class TooManyMessages extends Error {
  constructor() {
    super('too many messages since the last of the trail');
    this.name = 'TooManyMessages';
  }
}

/** The channel's messages, newest first, back to its beginning. Rejects with TooManyMessages after `most` pages. */
export async function* history(
  channel: Pick<AuditChannel, 'page'>,
  most: number,
): AsyncGenerator<readonly Message[], void> {
  let before: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const messages = await channel.page(before);
    yield messages;
    if (messages.length < pageSize) return;
    before = messages.at(-1)?.id;
  }
  throw new TooManyMessages();
}

const isTrail = (message: Message): boolean => trailRange(message) !== undefined;

export const postedIn = (messages: readonly Message[]): Posted[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range }];
  });

/** The newest messages of the trail, oldest first: at least `least`, if there are as many. Skips other messages. */
export async function latest(channel: Pick<AuditChannel, 'page'>, least: number, most: number): Promise<Message[]> {
  const all: Message[] = [];
  for await (const messages of history(channel, most)) {
    all.push(...messages.filter(isTrail));
    if (all.length >= least) break;
  }
  return all.reverse();
}

interface ProgressParts {
  ledger: Pick<Ledger, 'entries'>;
  channel: Pick<AuditChannel, 'id' | 'page'>;
  /** How many pages of a hundred messages to search for the newest message of the trail. */
  pages: number;
  /** Called for each message of the trail that this reads. */
  remember(posted: Posted): void;
  /** Called when the position is first known. */
  onRead(): void;
}

export type Progress = ReturnType<typeof createProgress>;

/** Tracks the end of the trail, as this process read it in the channel or posted it. */
export function createProgress({ ledger, channel, pages, remember, onRead }: ProgressParts) {
  /** The `seq` of the last entry in the channel; undefined while unknown. */
  let at: number | undefined;
  /** The end of the trail as the leader left it. */
  let end: Reach | undefined;

  /** The channel holds all entries up to `seq`; `message` is the newest message of the trail. */
  function place(seq: number, message: string | undefined): void {
    end = message === undefined ? undefined : { channel: channel.id, message, seq };
    at = seq;
    onRead();
  }

  return {
    /** Reads at least `least` messages, and finds the next entry to post. Rejects with TooManyMessages. */
    async read(least: number) {
      const messages = await latest(channel, least, pages);
      const posted = postedIn(messages);
      for (const each of posted) remember(each);
      const last = posted.at(-1);
      return { messages, last, from: nextFrom(ledger.entries(), channel.id, last) };
    },
    place,
    losePosition(): void {
      at = undefined;
    },
    at: (): number | undefined => at,
    reach: (): Reach | undefined => end,
    isWaiting: (): boolean => {
      const entries = ledger.entries();
      return at === undefined || (beginOf(entries, channel.id) !== undefined && at < entries.length);
    },
  };
}
