import { LRUCache } from 'lru-cache';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { NewEntry } from '../runs/entry.ts';
import type { AuditChannel } from './channel.ts';
import { compare, type Discrepancy } from './compare.ts';
import { beginOf, type Posted, type Reach } from './position.ts';
import { unreported } from './reported.ts';

export interface TamperingParts extends ReportParts {
  channel: Pick<AuditChannel, 'id' | 'around'>;
}

interface TamperingEvent {
  finding: 'deleted' | 'edited';
  messages: readonly string[];
}

export type Tampering = ReturnType<typeof createTampering>;

/** How many messages to remember by id. Discord's event for a deletion carries only the id. */
const maxRemembered = 10_000;
/** `around` returns this many messages before the given one, unless the channel begins there. */
const aroundHalf = 50;

/** Collects events about deleted and edited messages of the trail until the ledger reports them, each once. */
export function createTampering(parts: TamperingParts) {
  const report = createReport(parts);
  const known = new LRUCache<string, Posted>({ max: maxRemembered });
  let pending: TamperingEvent[] = [];

  return {
    remember(posted: Posted): void {
      known.set(posted.message, posted);
    },
    add(finding: TamperingEvent['finding'], messages: readonly string[]): void {
      pending.push({ finding, messages });
    },
    isDue: (): boolean => pending.length > 0,
    /** Reports the events. Rejects if the ledger cannot be written: try again. */
    async reportEvents(): Promise<void> {
      const events = [...pending];
      const deleted = events.flatMap(({ finding, messages }) => (finding === 'deleted' ? messages : []));
      const unknown = deleted.filter((message) => !known.has(message));
      await report(await lookAround(parts, unknown));
      for (const { finding, messages } of events) {
        const posted = messages.flatMap((message) => known.get(message) ?? []);
        await report(joined(posted).map((span) => ({ finding, ...span })));
        if (finding === 'deleted') for (const message of messages) known.delete(message);
      }
      pending = pending.slice(events.length);
    },
    report,
    /** Reports a trail that now ends at entry `reach`, before its former end. */
    async reportEnd(end: Reach | undefined, reach: number): Promise<void> {
      if (end !== undefined && reach < end.seq)
        await report([{ finding: 'deleted', message: end.message, from: reach + 1, to: end.seq }]);
      for (const { message, from } of known.values()) if (from > reach) known.delete(message);
    },
  };
}

/** Reads the channel around unknown deleted messages: if they belonged to the trail, they left a gap. */
async function lookAround({ channel, ledger }: TamperingParts, unknown: readonly string[]): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const left = new Set(unknown);
  for (const first of left) {
    const page = (await channel.around(first)).toReversed();
    const [oldest, newest] = [BigInt(page[0]?.id ?? first), BigInt(page.at(-1)?.id ?? first)];
    const isNear = (id: string): boolean => id === first || (BigInt(id) > oldest && BigInt(id) < newest);
    const near = [...left].filter(isNear).sort((a, b) => Number(BigInt(a) - BigInt(b)));
    for (const message of near) left.delete(message);
    const isBegin = page.filter(({ id }) => BigInt(id) < BigInt(first)).length < aroundHalf;
    const begin = isBegin ? beginOf(ledger.entries(), channel.id) : undefined;
    for (const gap of unreported(compare(page, ledger.entries(), begin), ledger.entries(), channel.id)) {
      const message = near.findLast((id) => BigInt(id) < BigInt(gap.message));
      if (gap.finding === 'missing' && message !== undefined) found.push({ ...gap, finding: 'deleted', message });
    }
  }
  return found;
}

/** Merges messages with consecutive entries, under the id of the last. */
function joined(gone: readonly Posted[]): Omit<Posted, 'head'>[] {
  const spans: Omit<Posted, 'head'>[] = [];
  for (const { message, from, to } of [...gone].sort((a, b) => a.from - b.from)) {
    const before = spans.at(-1);
    const isNext = before !== undefined && from === before.to + 1;
    if (isNext) spans[spans.length - 1] = { message, from: before.from, to };
    else spans.push({ message, from, to });
  }
  return spans;
}

interface ReportParts {
  ledger: Pick<Ledger, 'append' | 'entries'>;
  channel: Pick<AuditChannel, 'id'>;
  bot: Actor;
  log: Log;
}

/** Records tampering with the trail, unless the ledger already reports it. */
function createReport({ ledger, channel, bot, log }: ReportParts) {
  return async (discrepancies: readonly Discrepancy[]): Promise<void> => {
    const entries = unreported(discrepancies, ledger.entries(), channel.id).map(
      (each): NewEntry => ({
        ...{ kind: 'tampered', channel: channel.id, actor: bot, ...each },
        // Somebody did it, and Discord does not tell the bot who.
        ...(each.finding === 'deleted' || each.finding === 'edited' ? { unsaid: true } : {}),
      }),
    );
    if (entries.length === 0) return;
    await ledger.append(entries);
    log.error({ entries }, 'somebody changed the trail in the audit channel');
  };
}
