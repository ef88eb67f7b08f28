import type { Ledger } from '../ledger/ledger.ts';
import type { NewEntry } from '../runs/entry.ts';
import { type Attribution, type AttributionParts, createAttribution, type How, patience } from './attribution.ts';
import type { Oddity } from './compare.ts';
import type { Posted, Reach } from './position.ts';
import { unreported } from './reported.ts';

export interface ReportParts extends AttributionParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
}

export type Span = Omit<Posted, 'head'>;
export type Reports = ReturnType<typeof createReports>;

/** Records what happened to the trail in its channel, unless the ledger reports it already. */
export function createReports(parts: ReportParts) {
  const { ledger, channel, bot, log } = parts;
  const attribution = createAttribution(parts);

  async function record(reports: readonly (Oddity & Attribution)[]): Promise<void> {
    if (reports.length === 0) return;
    const entries = reports.map((each): NewEntry => ({ kind: 'tampered', channel: channel.id, ...each }));
    await ledger.append(entries);
    log.error({ entries }, 'the trail in the audit channel is not as it was posted');
  }

  async function report(oddities: readonly Oddity[], who: () => Attribution | Promise<Attribution>): Promise<void> {
    const left = () => unreported(oddities, ledger.entries(), channel.id);
    if (left().length === 0) return;
    const by = await who();
    // Another process may have led until now.
    await ledger.refresh();
    await record(left().map((oddity) => ({ ...by, ...oddity })));
  }

  const deleted = (spans: readonly Span[], how: How, until = performance.now() + patience): Promise<void> =>
    report(
      spans.map(({ message, from, to }) => ({ finding: 'deleted', message, from, to })),
      () => attribution.find(how, until),
    );

  return {
    attribution,
    deleted,
    /** Only the bot's own token can edit its messages: there is nobody to name. */
    edited: (spans: readonly Span[]): Promise<void> =>
      report(
        spans.map(({ message, from, to }) => ({ finding: 'edited', message, from, to })),
        () => attribution.nobody,
      ),
    /** What a look into the channel found. */
    found: (oddities: readonly Oddity[]): Promise<void> => report(oddities, () => ({ actor: bot })),
    /** The channel ends at entry `reach`, and once went on to `end`. */
    end: async ({ message, seq: to }: Reach, reach: number): Promise<void> => {
      if (reach < to) await deleted([{ message, from: reach + 1, to }], 'any');
    },
    /** What Discord's audit log has, and nobody heard: of which message each was, it does not say. Nothing once something was heard. */
    unheard: async (isHeard: () => boolean): Promise<void> => {
      await ledger.refresh();
      const found = await attribution.unheard();
      if (isHeard()) return;
      await record(
        found.map(({ id, by, count }) => ({ actor: by, finding: 'deleted', message: id, attributed: { [id]: count } })),
      );
    },
  };
}
