import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { Kind, NewEntry } from '../runs/entry.ts';
import { changedSince } from './facts.ts';
import type { Reach } from './position.ts';

interface LifecycleParts {
  ledger: Pick<Ledger, 'append' | 'entries'>;
  bot: Actor;
  processId: string;
  facts: Record<string, string>;
  /** The start is recorded already. */
  begun?: boolean;
  log: Log;
}

/** The result of reading the configuration again. */
type Reconfigured = Pick<Kind<'configured'>, 'changed' | 'facts' | 'difference' | 'problems'>;

/** Records in the ledger when this process starts and stops, and configuration changes in between. */
export interface Lifecycle {
  /** Records the start and, before it, what changed in the configuration. False: try again. Never rejects. */
  begin(): Promise<boolean>;
  /** Records a configuration change, or why one was refused; if the ledger cannot be written, later. Never rejects. */
  reconfigured(what: Reconfigured): Promise<void>;
  /** Retries entries that the ledger could not take before. Never rejects. */
  retry(): Promise<void>;
  /** Records the stop, with the end of the trail, if the start is recorded. Never rejects. */
  end(reach?: Reach): Promise<void>;
}

/** What a start records: what differs from the configuration that was recorded last, and the start. */
export function beginning({
  ledger,
  bot,
  processId,
  facts,
}: Pick<LifecycleParts, 'bot' | 'processId' | 'facts'> & { ledger: Pick<Ledger, 'entries'> }): NewEntry[] {
  const changed = changedSince(ledger.entries(), facts);
  return [
    ...(changed.length === 0 ? [] : [{ kind: 'configured' as const, actor: bot, changed }]),
    { kind: 'started', actor: bot, owner: processId, facts },
  ];
}

export function createLifecycle({ log, begun = false, ...parts }: LifecycleParts): Lifecycle {
  const { ledger, bot, processId } = parts;
  let ended = false;
  let starting: Promise<boolean> | undefined;
  const record = async (entries: readonly NewEntry[]): Promise<boolean> =>
    ledger.append(entries).then(
      () => true,
      (error: unknown) => {
        log.warn({ problem: String(error) }, 'cannot record a start, a stop or a configuration change yet');
        return false;
      },
    );
  function begin(): Promise<boolean> {
    if (begun) return Promise.resolve(true);
    starting ??= record(beginning(parts)).finally(() => {
      starting = undefined;
    });
    return starting.then((recorded) => {
      begun = recorded;
      return recorded;
    });
  }
  /** Configuration changes to record, oldest first. */
  const waiting: NewEntry[] = [];
  let flushing = Promise.resolve();
  async function flushNow(): Promise<void> {
    // Nothing may follow the stop, so `end` records the rest before it.
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
      const stopped: NewEntry = { kind: 'stopped', actor: bot, owner: processId, reach };
      if (begun) await record([...waiting, stopped]);
    },
  };
}

/** The bot as an actor. Its token begins with its user id, in base64. */
export function botOf(token: string): Actor {
  const id = Buffer.from(token.split('.', 1).join(), 'base64').toString('latin1');
  return { id: /^\d{17,20}$/.test(id) ? id : '0', name: 'panelops', roles: [] };
}
