import type { Card } from '../card.ts';
import type { Alarm } from '../cards/due.ts';
import type { Messages } from '../cards/messages.ts';
import type { Checked, TrailTrouble } from '../command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { bySeq, type Entries } from '../runs/entries.ts';

interface DamageParts {
  ledger: Pick<Ledger, 'head' | 'entries'>;
  messages: Pick<Messages, 'reply'>;
  /** Whom to ping, and where; in their order, these channels where that one is not there. */
  alarm(): Alarm | undefined;
  elsewhere: readonly string[];
  card(damage: NonNullable<Checked['problem']>): Card;
  log: Log;
}

/** Holds what checks read against what this process has of the ledger. Only a check that finds it whole settles it. */
export function watchDamage({ ledger, messages, elsewhere, card, log, ...parts }: DamageParts) {
  let damage: Checked['problem'];
  let isTold = false;

  async function report(damaged: NonNullable<Checked['problem']>): Promise<void> {
    const alarm = parts.alarm();
    if (alarm === undefined || isTold) return;
    isTold = true;
    const pings = alarm.roles.map((id) => `&${id}`);
    for (const channel of new Set([alarm.channel, ...elsewhere])) {
      const posted = await messages.reply({ channel }, card(damaged), pings).catch(() => undefined);
      if (posted !== undefined) return;
    }
    // The next check tries again.
    isTold = false;
    log.error({}, 'nobody could be told in Discord that the ledger is broken');
  }

  return {
    /** The same, with what this process knows better than the ledger as it lies there. */
    async judge(check: () => Promise<Checked>): Promise<Checked> {
      const before = ledger.head().seq;
      const checked = await check();
      const problem = checked.problem ?? differenceOf(checked.head, before, ledger.entries());
      // What stands behind all that is recorded is a line that is being written, or was not finished.
      damage = problem !== undefined && problem.seq <= ledger.head().seq ? problem : undefined;
      if (damage === undefined) isTold = false;
      else {
        log.error({ ...damage }, 'the ledger is not as it was written where it is kept');
        await report(damage);
      }
      return problem === undefined ? checked : { ...checked, problem };
    },
    trouble: (): TrailTrouble | undefined =>
      damage && { reason: 'ledger-damaged', words: `/audit verify found it broken at entry ${damage.seq}.` },
  };
}

/** A sound chain may be another one, or end too early. */
function differenceOf(head: Checked['head'], before: number, entries: Entries): Checked['problem'] {
  if (head.seq < before)
    return { seq: head.seq + 1, words: `it ends at entry ${head.seq}, and entry ${before} was written` };
  const same = bySeq(entries, head.seq);
  return head.seq === 0 || same === undefined || same.hash === head.hash
    ? undefined
    : { seq: head.seq, words: `entry ${head.seq} is not the one that was written` };
}
