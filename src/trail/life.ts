import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { NewEntry } from '../runs/entry.ts';
import { changedSince } from './facts.ts';
import type { Reach } from './position.ts';

interface LifeParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
  bot: Actor;
  processId: string;
  facts: Record<string, string>;
  log: Log;
}

/** The start and the stop of this process, as the ledger keeps them. */
export interface Life {
  /** Records the start, and before it what has changed since the one before. False: the ledger cannot be written, try again. Never rejects. */
  begin(): Promise<boolean>;
  /** Records the stop, if the start is recorded, with how far the trail is. Never rejects. */
  end(reach?: Reach): Promise<void>;
}

export function createLife({ ledger, bot, processId, facts, log }: LifeParts): Life {
  let begun = false;
  let starting: Promise<boolean> | undefined;
  const record = async (entries: readonly NewEntry[]): Promise<boolean> =>
    ledger.append(entries).then(
      () => true,
      (error: unknown) => {
        log.warn({ problem: String(error) }, 'start or stop could not be recorded');
        return false;
      },
    );
  async function start(): Promise<boolean> {
    await ledger.refresh().catch(() => undefined);
    const changed = changedSince(ledger.entries(), facts);
    return record([
      ...(changed.length === 0 ? [] : [{ kind: 'configured' as const, actor: bot, changed }]),
      { kind: 'started', actor: bot, owner: processId, facts },
    ]);
  }
  return {
    begin() {
      if (begun) return Promise.resolve(true);
      starting ??= start().finally(() => {
        starting = undefined;
      });
      return starting.then((recorded) => {
        begun = recorded;
        return recorded;
      });
    },
    async end(reach) {
      if (begun) await record([{ kind: 'stopped', actor: bot, owner: processId, ...defined({ reach }) }]);
    },
  };
}

/** The bot itself. Its token begins with its user's id, in base64. */
export function botOf(token: string): Actor {
  const id = Buffer.from(token.split('.', 1).join(), 'base64').toString('latin1');
  return { id: /^\d{17,20}$/.test(id) ? id : '0', name: 'panelops', roles: [] };
}
