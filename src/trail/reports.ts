import type { Ledger } from '../ledger/ledger.ts';
import type { NewEntry } from '../runs/entry.ts';
import {
  type Attribution,
  type AttributionParts,
  attributionTimeout,
  createAttribution,
  type DeletionMode,
} from './attribution.ts';
import type { Discrepancy } from './compare.ts';
import type { Posted, Reach } from './position.ts';
import { unreported } from './reported.ts';

export interface ReportParts extends AttributionParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
}

export type Span = Omit<Posted, 'head'>;
export type Reports = ReturnType<typeof createReports>;

/** Records tampering with the trail, unless the ledger already reports it. */
export function createReports(parts: ReportParts) {
  const { ledger, channel, bot, log } = parts;
  const attribution = createAttribution(parts);

  async function record(reports: readonly (Discrepancy & Attribution)[]): Promise<void> {
    if (reports.length === 0) return;
    const entries = reports.map((each): NewEntry => ({ kind: 'tampered', channel: channel.id, ...each }));
    await ledger.append(entries);
    log.error({ entries }, 'somebody changed the trail in the audit channel');
  }

  async function report(
    discrepancies: readonly Discrepancy[],
    who: () => Attribution | Promise<Attribution>,
  ): Promise<void> {
    const unreportedNow = () => unreported(discrepancies, ledger.entries(), channel.id);
    if (unreportedNow().length === 0) return;
    const by = await who();
    // Another process may have been the leader until now.
    await ledger.refresh();
    await record(unreportedNow().map((discrepancy) => ({ ...by, ...discrepancy })));
  }

  const deleted = (
    spans: readonly Span[],
    how: DeletionMode,
    until = performance.now() + attributionTimeout,
  ): Promise<void> =>
    report(
      spans.map(({ message, from, to }) => ({ finding: 'deleted', message, from, to })),
      () => attribution.find(how, until),
    );

  return {
    attribution,
    deleted,
    /** Only the bot's own token can edit its messages, so nobody is named. */
    edited: (spans: readonly Span[]): Promise<void> =>
      report(
        spans.map(({ message, from, to }) => ({ finding: 'edited', message, from, to })),
        () => attribution.nobody,
      ),
    /** What a comparison with the channel found. */
    found: (discrepancies: readonly Discrepancy[]): Promise<void> => report(discrepancies, () => ({ actor: bot })),
    /** Reports a trail that now ends at entry `reach`, before its former end. */
    end: async ({ message, seq: to }: Reach, reach: number): Promise<void> => {
      if (reach < to) await deleted([{ message, from: reach + 1, to }], 'any');
    },
    /**
     * Reports deletions that the gateway did not report. The audit log does not name the message. Records nothing if an
     * event has arrived meanwhile.
     */
    missed: async (hasEvents: () => boolean): Promise<void> => {
      await ledger.refresh();
      const found = await attribution.missed();
      if (hasEvents()) return;
      await record(
        found.map(({ id, by, count }) => ({ actor: by, finding: 'deleted', message: id, attributed: { [id]: count } })),
      );
    },
  };
}
