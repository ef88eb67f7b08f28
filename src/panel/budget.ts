import type { NotSentReason } from '../reasons.ts';
import { type BudgetLeft, createAddress, createToken, leftToConfirmed, type Pass, type Token } from './token.ts';

/**
 * Who causes a call. The id is the Discord user's. `look`: a read before a question. `confirmed`: a confirmed change,
 * and the reads repeated for it. A follow-up only reads, goes last and never waits.
 */
export type Caller = { kind: 'person' | 'look'; id: string } | { kind: 'confirmed' } | { kind: 'follow-up' };

/** The priority of a request: confirmed changes, then other changes, then reads. */
export type Rank = 'confirmed' | 'change' | 'read';

export interface Budget {
  charge(caller: Caller, isChange: boolean): NotSentReason | undefined;
  /**
   * Waits up to `patienceMs` until a request may go out, with the token that is in use by then. A tenth of each minute is for
   * confirmed changes alone.
   */
  enter(rank: Rank, patienceMs: number): Promise<Pass | { hold: NotSentReason }>;
  /** Like `enter`, for a follow-up, which does not wait. `again`: when to try again, in ms. */
  enterLast(): Pass | { hold: NotSentReason; again: number };
  /** Reserves a slot for one look of a follow-up and returns its time, in ms. */
  slot(): number;
  left(): BudgetLeft;
  /** Replaces the token, for new requests. Throws a TypeError for an unusable one, without repeating it. */
  use(token: string): void;
}

export interface BudgetOptions {
  token: string;
  now: () => number;
  /** Must move `now`. */
  wait: (ms: number) => Promise<void>;
}

interface Waiter {
  rank: Rank;
  until: number;
  resolve: (result: Pass | { hold: NotSentReason }) => void;
}

const minuteMs = 60_000;
const readsPerMinute = 20;
/** A command for ten servers looks ten times. */
const looksPerMinute = 40;
/** How long follow-ups wait, in ms, where the end of a wait is unknown. */
const soonAfter = 1_000;

/**
 * Decides when the token may send, for all callers together: by the panel's Retry-After and X-RateLimit headers, by a
 * circuit that a 401 opens (ten failed authentications lock the address out), and by the pace of the follow-ups.
 */
export function createBudget({ token: first, now, wait }: BudgetOptions): Budget {
  const reads = createReads(now);
  const address = createAddress(now);
  function begin(text: string) {
    if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError("the panel's token must be one word of plain ASCII");
    const token = createToken(text, now, address);
    const confirmed = waitingLine({ token, now, wait, share: 0 });
    const others = waitingLine({ token, now, wait, share: leftToConfirmed, after: confirmed });
    // The paces of looks, and of those that are postponed.
    return { token, confirmed, others, turns: { own: 0, held: 0 } };
  }
  let current = begin(first);

  function turn(which: keyof typeof current.turns, from: number): number {
    const { token, turns } = current;
    const at = Math.max(from, turns[which]);
    turns[which] = at + minuteMs / token.followUpsPerMinute();
    return at;
  }

  return {
    charge(caller, isChange) {
      if (current.token.circuitOpen()) return 'circuit-open';
      return isChange ? undefined : reads(caller);
    },

    async enter(rank, patienceMs) {
      const { token, confirmed, others } = current;
      const until = now() + patienceMs;
      const pass = await (rank === 'confirmed' ? confirmed : others).queue(rank, until);
      if (token === current.token || 'hold' in pass) return pass;
      pass.leave({});
      return await this.enter(rank, until - now());
    },

    enterLast() {
      const { token, confirmed, others } = current;
      // While somebody waits, or a probe is out, the end is unknown: try again soon.
      const soon = confirmed.isBusy() || others.isBusy() || token.circuitOpen() ? now() + soonAfter : now();
      const from = Math.max(soon, token.followUpsFrom());
      const got = token.circuitOpen() || from <= now() ? token.take() : ({ hold: 'waited-too-long' } as const);
      return 'hold' in got ? { ...got, again: turn('held', from) } : got;
    },

    left: () => current.token.left(),

    slot: () => turn('own', Math.max(now(), current.token.followUpsFrom())),

    use(token) {
      current = begin(token);
    },
  };
}

interface Line {
  isBusy(): boolean;
  /** Resolves when nobody is waiting. */
  served(): Promise<void>;
  queue(rank: Rank, until: number): Promise<Pass | { hold: NotSentReason }>;
}

interface LineParts extends Pick<BudgetOptions, 'now' | 'wait'> {
  token: Token;
  /** The share of the minute that these callers leave to others. */
  share: number;
  /** A line that goes first. */
  after?: Line;
}

/** A queue of callers that wait until the token may send: changes go before reads. */
function waitingLine({ token, now, wait, share, after }: LineParts): Line {
  const waiting: Waiter[] = [];
  let serving = Promise.resolve();

  function dismiss(waiter: Waiter, result: Pass | { hold: NotSentReason }): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.resolve(result);
  }

  /** A caller that need not wait is never late, even if the clock moved on since it arrived. */
  function isInTime(left: number, until: number): boolean {
    const ms = token.blockedFor(left);
    return ms === 0 || now() + ms <= until;
  }

  /** Why a request cannot be sent before `until`. Undefined if it can. */
  function holdUntil(until: number): NotSentReason | undefined {
    if (isInTime(share, until)) return undefined;
    return isInTime(0, until) ? 'kept-for-confirmed' : 'waited-too-long';
  }

  async function serve(): Promise<void> {
    while (waiting.length > 0) {
      if (after?.isBusy()) await after.served();
      for (const waiter of [...waiting]) {
        const hold = holdUntil(waiter.until);
        if (hold !== undefined) dismiss(waiter, { hold });
      }
      const ms = token.blockedFor(share);
      const next = waiting.find(({ rank }) => rank !== 'read') ?? waiting[0];
      if (ms === 0 && next) dismiss(next, token.take());
      else if (next) await wait(ms);
    }
  }

  return {
    isBusy: (): boolean => waiting.length > 0,
    served: () => serving,
    queue(rank, until) {
      const hold = holdUntil(until);
      if (hold !== undefined) return Promise.resolve({ hold });
      return new Promise((resolve) => {
        waiting.push({ rank, until, resolve });
        if (waiting.length === 1) serving = serve();
      });
    },
  };
}

/** Counts a call, or returns the limit that refuses it: a person has 20 reads and 40 looks in any 60 seconds, whatever the token. */
function createReads(now: () => number): (caller: Caller) => NotSentReason | undefined {
  const reads = perMinute(now, readsPerMinute);
  const looks = perMinute(now, looksPerMinute);
  return (caller) => {
    if (caller.kind === 'person' && !reads(caller.id)) return 'read-limit';
    return caller.kind === 'look' && !looks(caller.id) ? 'look-limit' : undefined;
  };
}

/** Allows each person `most` calls in any minute. */
function perMinute(now: () => number, most: number): (person: string) => boolean {
  const times = new Map<string, number[]>();
  return (person) => {
    const since = now() - minuteMs;
    const recent = (times.get(person) ?? []).filter((at) => at > since);
    if (recent.length >= most) return false;
    times.set(person, [...recent, now()]);
    return true;
  };
}
