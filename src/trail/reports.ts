import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { NewEntry } from '../runs/entry.ts';
import type { AuditChannel } from './channel.ts';
import type { Discrepancy } from './compare.ts';
import { unreported } from './reported.ts';

export interface ReportParts {
  ledger: Pick<Ledger, 'append' | 'entries'>;
  channel: Pick<AuditChannel, 'id'>;
  bot: Actor;
  log: Log;
}

/** Records tampering with the trail, unless the ledger already reports it. */
export function createReport({ ledger, channel, bot, log }: ReportParts) {
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
