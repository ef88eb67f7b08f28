import { setTimeout as delay } from 'node:timers/promises';
import type { TrailLag } from '../command.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { unavailable } from './fault.ts';
import type { Parts } from './parts.ts';

/** How long to probe the ledger, in ms: a hanging ledger cannot be written either. */
const tryTime = 3_000;

/** Why the ledger cannot be written; undefined if it can. */
function troubleOf(ledger: Pick<Parts['ledger'], 'probe'>) {
  const stuck = delay(tryTime, undefined, { ref: false }).then(() => {
    throw new LedgerUnavailable();
  });
  return Promise.race([ledger.probe(), stuck]).then(
    () => undefined,
    (error: unknown) => unavailable(error).reason,
  );
}

/** How the audit channel catches up, where changes do not wait for it. */
const catchUp: Record<TrailLag['reason'], string> = {
  'trail-behind': "The bot keeps posting. If nothing new arrives there, check Discord's status.",
  'trail-closed':
    'A guild admin can give the bot View Channel, Send Messages and Read Message History there. The bot then posts the rest.',
};

/** Changes go on; but what is done now stands in the ledger alone. */
function lagOf({ lag }: Pick<Parts['trail'], 'lag'>): string[] {
  const behind = lag();
  if (behind === undefined) return [];
  const next = catchUp[behind.reason];
  return [`**The audit channel is behind.** ${behind.words} Changes continue, and the ledger has them. ${next}`];
}

/** What blocks all changes now, each with the next step; and whether the audit channel is behind. */
export async function holdsOf({ ledger, trail }: Pick<Parts, 'ledger' | 'trail'>) {
  const ledgerReason = await troubleOf(ledger);
  const held = [
    ...(ledgerReason === undefined
      ? []
      : [
          {
            reason: ledgerReason,
            words: `${ledgerReason === 'redis-unavailable' ? 'Redis cannot be reached' : 'The ledger cannot be written'}.`,
          },
        ]),
    ...trail.troubles(),
  ].map(({ reason, words }) => `**Nothing may change.** ${words} ${reasons[reason].next}`);
  return [...held, ...lagOf(trail)];
}
