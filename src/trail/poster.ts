import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import { compare, type Message, trailRange } from './compare.ts';
import type { TrailDesk } from './desk.ts';
import { unrecorded } from './known.ts';
import { type Held, take } from './lock.ts';
import type { TrailMemory } from './memory.ts';
import { entriesFrom, pack } from './pack.ts';
import { beginOf, lastReach, nextFrom, nonceFor, type Posted } from './place.ts';
import { history, latest, mostPages, postedIn } from './reader.ts';
import type { TrailState } from './state.ts';

export interface PosterParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
  desk: TrailDesk;
  channel: string;
  bot: Actor;
  redis: Redis;
  state: TrailState;
  memory?: TrailMemory;
  /** Is told of every message of the trail that is seen. */
  know(posted: Posted): void;
  /** Is told whether it is known where the trail goes on: another process is at it, or this one has read it in the channel. */
  sure(known: boolean): void;
  /** Records that the trail's end was deleted, once over all processes. */
  missed(gone: { message: string; from: number; to: number }): Promise<void>;
  /** How far back the newest message of the trail is looked for, in pages of a hundred. */
  pages?: number;
  /** In ms: from one post to the next, so that lines share messages; and after trouble until the next try. */
  intervals: { between: number; again: number };
  log: Log;
}

export interface Poster {
  /** Posts what is not in the channel yet, if no other process is at it. Never rejects. */
  pump(): Promise<void>;
  /** The same without pauses, once more after whatever is under way. */
  finish(): Promise<void>;
  /** Compares the channel with the ledger again at the next turn. */
  compareAgain(): void;
  /** Whether there is something to do besides posting. */
  isDue(): boolean;
  /** Ends after the message that is under way. */
  close(): void;
}

/** How many messages of the trail are compared at a start. */
const compared = 200;
/** How much longer than after other trouble is waited where there was too much to read. */
const longer = 20;

/** There is too much in the channel to say where the trail goes on. Nothing is posted then: the trail would begin anew. */
class TooMuch extends Error {
  constructor() {
    super('too many messages since the last of the trail');
    this.name = 'TooMuch';
  }
}

/** The one pair of hands of the trail. Never edits, never deletes. */
export function createPoster(parts: PosterParts): Poster {
  const { ledger, desk, channel, bot, state, intervals, log, pages = mostPages } = parts;
  let mustCompare = true;
  let hurry = false;
  let closed = false;
  let retryAt = 0;
  let inTrouble = false;
  let running: Promise<void> | undefined;

  const recognize = (messages: readonly Message[]): Posted[] => {
    const found = postedIn(messages);
    for (const each of found) parts.know(each);
    return found;
  };

  async function newest(): Promise<Posted | 'closed' | undefined> {
    for await (const messages of history(desk, pages)) {
      if (messages === 'closed') return messages;
      if (messages === 'more') throw new TooMuch();
      const [first] = recognize(messages);
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** What happened to the channel while nobody looked. */
  async function compareNow(): Promise<boolean> {
    const messages = await latest(desk, compared, pages);
    if (messages === 'closed') return false;
    if (messages === 'more') throw new TooMuch();
    recognize(messages);
    await ledger.refresh();
    const found = unrecorded(compare(messages, ledger.entries()), ledger.entries(), channel);
    if (found.length > 0) {
      await ledger.append(found.map((each) => ({ kind: 'tampered', actor: bot, channel, ...each })));
      log.error({ findings: found }, 'the trail in the audit channel is not as it was posted');
    }
    return true;
  }

  async function compareOnce(): Promise<boolean> {
    // Before it begins: it may become due again on the way.
    mustCompare = false;
    let done = false;
    try {
      done = await compareNow();
    } finally {
      mustCompare ||= !done;
    }
    return done;
  }

  /** At most one message. True when there may be more to do. */
  async function turn(held: Held): Promise<boolean> {
    if (mustCompare && !(await compareOnce())) return refused();
    await ledger.refresh();
    const last = await newest();
    if (last === 'closed') return refused();
    await tellOfEnd(last);
    const from = nextFrom(ledger.entries(), channel, last);
    if (from !== 'ahead') state.found((from ?? 1) - 1, last?.message);
    parts.sure(true);
    if (from === 'ahead') return last !== undefined && tell(last);
    return from !== undefined && post(from, last, held);
  }

  /** What was posted, and is not in the channel any more, at its end. Rejects while that is not in the ledger: it must not be posted over. */
  async function tellOfEnd(last: Posted | undefined): Promise<void> {
    const at = state.at();
    // Redis forgets.
    const before =
      at === undefined
        ? lastReach(ledger.entries(), channel, parts.memory?.last())
        : { seq: at, message: state.last() };
    if (before?.message === undefined) return;
    const { seq: to, message } = before;
    const reach = last?.to ?? (beginOf(ledger.entries(), channel) ?? 1) - 1;
    if (reach >= to) return;
    const isTold = (): boolean =>
      ledger
        .entries()
        .some((each) => each.kind === 'tampered' && each.finding === 'deleted' && each.message === message);
    if (isTold()) return;
    await parts.missed({ message, from: reach + 1, to });
    await ledger.refresh();
    if (!isTold()) throw new Error('that the end of the trail was deleted could not be recorded yet');
  }

  async function tell({ message, from, to }: Posted): Promise<true> {
    await ledger.append([{ kind: 'tampered', actor: bot, finding: 'ahead', channel, message, from, to }]);
    log.error({ message, from, to }, 'the audit channel holds entries that the ledger does not have');
    return true;
  }

  async function post(from: number, last: Posted | undefined, held: Held): Promise<boolean> {
    const entries = ledger.entries();
    const packed = pack(entriesFrom(entries, from));
    if (packed === undefined) {
      await state.reached(from - 1, last?.message);
      return false;
    }
    if (held.lost()) return false;
    const posted = await desk.post(packed.text, nonceFor(entries, from));
    if (posted === 'closed') return refused();
    recognize([posted]);
    // Under the same nonce it may be what another process posted, with fewer lines or more.
    const to = trailRange(posted)?.to ?? packed.to;
    parts.memory?.keep({ channel, message: posted.id, seq: to });
    await state.reached(to, posted.id);
    return true;
  }

  async function refused(): Promise<boolean> {
    if (!state.closed())
      log.error({ channel }, 'the audit channel refuses the bot: nothing may change until it is open');
    retryAt = performance.now() + intervals.again;
    await state.refused();
    return false;
  }

  async function work(): Promise<void> {
    const held = await take(parts.redis, `panelops:trail:${channel}:turn`);
    if (held === undefined) return parts.sure(true);
    try {
      await state.load();
      while (!closed && (await turn(held))) {
        if (!hurry) await delay(intervals.between, undefined, { ref: false });
      }
    } finally {
      await held.release();
    }
  }

  async function tryToWork(): Promise<void> {
    try {
      if (closed || (!hurry && performance.now() < retryAt)) return;
      await work();
      inTrouble = false;
    } catch (error) {
      const isTooMuch = error instanceof TooMuch;
      if (isTooMuch) parts.sure(false);
      retryAt = performance.now() + intervals.again * (isTooMuch ? longer : 1);
      log[inTrouble ? 'debug' : 'warn']({ problem: String(error) }, 'the trail could not be posted yet');
      inTrouble = true;
    }
  }

  function pump(): Promise<void> {
    running ??= tryToWork().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    pump,
    async finish() {
      hurry = true;
      await running;
      await pump();
    },
    compareAgain() {
      mustCompare = true;
    },
    isDue: () => mustCompare,
    close() {
      closed = true;
    },
  };
}
