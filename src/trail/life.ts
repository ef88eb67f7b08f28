import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { Kind, NewEntry } from '../runs/entry.ts';
import { changedSince } from './facts.ts';
import type { Reach } from './position.ts';

interface LifeParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
  bot: Actor;
  processId: string;
  facts: Record<string, string>;
  log: Log;
}

/** What came of reading the configuration again. */
type Reconfigured = Pick<Kind<'configured'>, 'changed' | 'facts' | 'difference' | 'problems'>;

/** The start and the stop of this process and what changed between them, as the ledger keeps them. */
export interface Life {
  /**
   * Records the start and, before it, configuration changes since the last start. False: the ledger cannot be written,
   * try again. Never rejects.
   */
  begin(): Promise<boolean>;
  /** Records a change of the configuration, or why there was none; later, if the ledger cannot be written now. Never rejects. */
  reconfigured(what: Reconfigured): Promise<void>;
  /** Records what could not be recorded before. Never rejects. */
  retry(): Promise<void>;
  /** Records the stop, if the start is recorded, with how far the trail is. Never rejects. */
  end(reach?: Reach): Promise<void>;
}

export function createLife({ ledger, bot, processId, facts, log }: LifeParts): Life {
  let begun = false;
  let ended = false;
  let starting: Promise<boolean> | undefined;
  const record = async (entries: readonly NewEntry[]): Promise<boolean> =>
    ledger.append(entries).then(
      () => true,
      (error: unknown) => {
        log.warn(
          { problem: String(error) },
          'a start, a stop or a change of the configuration could not be recorded yet',
        );
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
  function begin(): Promise<boolean> {
    if (begun) return Promise.resolve(true);
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting.then((recorded) => {
      begun = recorded;
      return recorded;
    });
  }
  /** In their order, one after the other. */
  const waiting: NewEntry[] = [];
  let flushing = Promise.resolve();
  async function flushNow(): Promise<void> {
    // Nothing follows the stop: what waits by then goes before it.
    while (begun && !ended && waiting.length > 0) {
      const batch = [...waiting];
      if (!(await record(batch))) return;
      waiting.splice(0, batch.length);
    }
  }
  const flush = (): Promise<void> => {
    flushing = flushing.then(flushNow);
    return flushing;
  };
  return {
    begin,
    reconfigured(what) {
      waiting.push({ kind: 'configured', actor: bot, owner: processId, ...what });
      return flush();
    },
    async retry() {
      if (!ended && (await begin())) await flush();
    },
    async end(reach) {
      ended = true;
      await Promise.all([starting, flushing]);
      const stopped: NewEntry = { kind: 'stopped', actor: bot, owner: processId, ...defined({ reach }) };
      if (begun) await record([...waiting, stopped]);
    },
  };
}

/** The bot as an actor. Its token begins with its user id, in base64. */
export function botOf(token: string): Actor {
  const id = Buffer.from(token.split('.', 1).join(), 'base64').toString('latin1');
  return { id: /^\d{17,20}$/.test(id) ? id : '0', name: 'panelops', roles: [] };
}
