import { attributionTimeout, type DeletionMode } from './attribution.ts';
import type { AuditChannel } from './channel.ts';
import { compare } from './compare.ts';
import { beginOf, type Posted, type Reach } from './position.ts';
import { unreported } from './reported.ts';
import { createReports, type ReportParts, type Reports, type Span } from './reports.ts';

export interface TamperingParts extends ReportParts {
  channel: Pick<AuditChannel, 'id' | 'deletions' | 'around'>;
}

interface TamperingEvent {
  finding: 'deleted' | 'edited';
  messages: readonly string[];
  /** In ms of the process clock. */
  at: number;
}

export type Tampering = ReturnType<typeof createTampering>;

/** How many messages to remember by id. Discord's event for a deletion carries only the id. */
const maxRemembered = 10_000;
/** `around` returns this many messages before the given one, unless the channel begins there. */
const aroundHalf = 50;
/** How long a process that does not lead keeps events, in ms: the leader may be dead, and this process the next one. */
const keepFor = 60_000;

/**
 * Collects events about deleted and edited messages of the trail until the ledger reports them. Only the leader
 * reports, and only what the ledger does not report yet.
 */
export function createTampering(parts: TamperingParts) {
  const reports = createReports(parts);
  const { attribution } = reports;
  /** Messages of the trail by id. */
  const known = new Map<string, Posted>();
  let pending: TamperingEvent[] = [];

  async function report({ finding, messages }: TamperingEvent, until: number): Promise<void> {
    const posted = messages.flatMap((message) => known.get(message) ?? []);
    if (finding === 'edited') return reports.edited(posted);
    await reports.deleted(joined(posted), howOf(messages), until);
    for (const message of messages) known.delete(message);
  }

  return {
    remember(posted: Posted): void {
      known.set(posted.message, posted);
      const [oldest] = known.keys();
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
    },
    add(finding: TamperingEvent['finding'], messages: readonly string[]): void {
      pending.push({ finding, messages, at: performance.now() });
    },
    isDue: (): boolean => pending.length > 0 || attribution.isAmbiguityOver(),
    /** Drops old events: another process leads and reports them. */
    expire(): void {
      pending = pending.filter(({ at }) => performance.now() - at < keepFor);
    },
    /** Reports the events. Rejects if the ledger cannot be written: try again. */
    async reportEvents(): Promise<void> {
      const events = [...pending];
      const until = performance.now() + attributionTimeout;
      if (events.length > 0) await parts.ledger.refresh();
      await lookAround(parts, reports, unknownIn(events, known), until);
      for (const event of events) await report(event, until);
      pending = pending.slice(events.length);
      // Events that still wait must be attributed first.
      if (pending.length === 0 && attribution.isAmbiguityOver()) await attribution.endAmbiguity();
    },
    reportFound: reports.found,
    async reportEnd(end: Reach | undefined, reach: number): Promise<void> {
      if (end !== undefined) await reports.end(end, reach);
      for (const { message, from } of known.values()) if (from > reach) known.delete(message);
    },
    reportMissed: (): Promise<void> => reports.missed(() => pending.length > 0),
    stopWaiting: attribution.stopWaiting,
  };
}

const howOf = (messages: readonly string[]): DeletionMode => (messages.length > 1 ? 'many' : 'one');

/** Deleted messages that this process does not remember, and how each was deleted. */
const unknownIn = (events: readonly TamperingEvent[], known: ReadonlyMap<string, Posted>): Map<string, DeletionMode> =>
  new Map(
    events
      .filter(({ finding }) => finding === 'deleted')
      .flatMap(({ messages }) => messages.map((message) => [message, howOf(messages)] as const))
      .filter(([message]) => !known.has(message)),
  );

/** Reads the channel around unknown deleted messages: if they belonged to the trail, they left a gap. */
async function lookAround(
  { channel, ledger }: Pick<TamperingParts, 'channel' | 'ledger'>,
  { deleted, attribution }: Reports,
  unknown: Map<string, DeletionMode>,
  until: number,
): Promise<void> {
  let isTrail = unknown.size === 0;
  for (const [first] of unknown) {
    const page = (await channel.around(first)).toReversed();
    const [oldest, newest] = [BigInt(page[0]?.id ?? first), BigInt(page.at(-1)?.id ?? first)];
    const isNear = (id: string): boolean => id === first || (BigInt(id) > oldest && BigInt(id) < newest);
    const near = [...unknown].filter(([id]) => isNear(id)).sort(([a], [b]) => Number(BigInt(a) - BigInt(b)));
    for (const [message] of near) unknown.delete(message);
    const isBegin = page.filter(({ id }) => BigInt(id) < BigInt(first)).length < aroundHalf;
    const begin = isBegin ? beginOf(ledger.entries(), channel.id) : undefined;
    const gaps = unreported(compare(page, ledger.entries(), begin), ledger.entries(), channel.id);
    for (const { finding, message: behind, from = 0, to = from } of gaps) {
      const posted = near.findLast(([id]) => BigInt(id) < BigInt(behind));
      if (finding !== 'missing' || posted === undefined) continue;
      isTrail = true;
      await deleted([{ message: posted[0], from, to }], posted[1], until);
    }
  }
  if (!isTrail) attribution.markAmbiguous();
}

/** Merges messages with consecutive entries, under the id of the last. */
function joined(gone: readonly Posted[]): Span[] {
  const spans: Span[] = [];
  for (const { message, from, to } of [...gone].sort((a, b) => a.from - b.from)) {
    const before = spans.at(-1);
    const isNext = before !== undefined && from === before.to + 1;
    if (isNext) spans[spans.length - 1] = { message, from: before.from, to };
    else spans.push({ message, from, to });
  }
  return spans;
}
