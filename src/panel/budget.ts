import type { Hold } from '../reasons.ts';
import { createToken, leftToConfirmed, type Token } from './token.ts';

/**
 * Who causes a call. The id is the Discord user's. `look`: what is read before a question; `confirmed`: a change that somebody
 * confirmed, and what is read again for it. A follow-up only looks, goes last and never waits.
 */
export type Caller = { kind: 'person' | 'look'; id: string } | { kind: 'confirmed' } | { kind: 'follow-up' };

/** Who goes first: what somebody confirmed, then other changes, then reads. */
export type Rank = 'confirmed' | 'change' | 'read';

/** Leave to send one request; goes back with `leave`. `probe`: the one request that tries whether the token works again. */
export interface Pass {
  probe: boolean;
}

/** What an answer tells of the token. `status` is left out when none came. */
export interface Told {
  status?: number | undefined;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Seconds of the lock-out after failed authentications. */
  lockedOutFor?: number | undefined;
}

/** What processes tell each other of the token. Times are in ms from now, because their clocks differ. */
export interface Learned {
  /** Requests a minute. */
  limit?: number;
  /** `reset` as the panel writes it, in seconds of its clock. */
  minute?: { reset: number; remaining: number; endsIn: number };
  /** How long nobody may send. */
  heldFor?: number;
  /** How long the token counts as refused; 0: it works again. */
  openFor?: number;
}

/** What all processes with one token share. Neither ever rejects; undefined means that the others cannot be reached. */
export interface SharedBudget {
  /** Tells what was learned and hears what all know. Answers soon, because people wait for it. */
  exchange(learned: Learned): Promise<Learned | undefined>;
  /** The next turn of the follow-ups, `perMinute` over all processes and not before `after` ms: in how many ms it is. */
  slot(perMinute: number, after: number): Promise<{ inMs: number; known: Learned } | undefined>;
}

export interface Budget {
  /** Counts a call. A person has 20 reads in any 60 seconds, and 40 looks before changes. */
  charge(caller: Caller, change: boolean): Hold | undefined;
  /** Waits, at most `patienceMs`, until a request may go out. The last tenth of a minute is for what somebody confirmed. */
  enter(rank: Rank, patienceMs: number): Promise<Pass | { hold: Hold }>;
  /** The same for a follow-up, which does not wait: `again` is when, in ms, it may be tried again. */
  enterLast(): Promise<Pass | { hold: Hold; again: number }>;
  leave(pass: Pass, told: Told): void;
  /** When, in ms, the next look of a follow-up may go out; each call is another one's turn. */
  slot(): Promise<number>;
}

export interface BudgetOptions {
  now: () => number;
  /** Must move `now`. */
  wait: (ms: number) => Promise<void>;
  /** Left out: this process is the only one with the token. */
  shared?: SharedBudget | undefined;
}

interface Waiter {
  rank: Rank;
  until: number;
  go: (result: Pass | { hold: Hold }) => void;
}

const minuteMs = 60_000;
const readsPerMinute = 20;
/** A command for ten servers looks ten times. */
const looksPerMinute = 40;
const newsEvery = 1_000;

/**
 * What the token may still send, for all callers together: the panel's Retry-After and X-RateLimit headers, a circuit that a 401
 * opens (ten failed authentications lock the address out), the reads of each person, and the pace of the follow-ups.
 */
export function createBudget({ now, wait, shared }: BudgetOptions): Budget {
  const token = createToken(now);
  const reads = perMinute(now, readsPerMinute);
  const looks = perMinute(now, looksPerMinute);
  const confirmed = waitingLine({ token, now, wait, share: 0 });
  const others = waitingLine({ token, now, wait, share: leftToConfirmed, after: confirmed });
  /** The pace of this process alone: where the others cannot be asked, and for looks that were held back. */
  const turns = { own: 0, held: 0 };
  let heardAt = Number.NEGATIVE_INFINITY;
  let answered = true;
  let asking: Promise<void> | undefined;

  async function exchange(learned: Learned): Promise<void> {
    heardAt = now();
    const known = await shared?.exchange(learned);
    answered = known !== undefined;
    if (known !== undefined) token.hear(known);
  }

  /** Hears of the others, once a second. After one question without an answer, nobody waits for the next. */
  function hearOthers(): Promise<void> | undefined {
    if (shared === undefined) return undefined;
    if (asking === undefined && now() - heardAt >= newsEvery) {
      asking = exchange({}).finally(() => {
        asking = undefined;
      });
    }
    return answered ? asking : undefined;
  }

  function turn(which: keyof typeof turns, from: number): number {
    const at = Math.max(from, turns[which]);
    turns[which] = at + minuteMs / token.followUpsPerMinute();
    return at;
  }

  return {
    charge(caller, change) {
      if (token.circuitOpen()) return 'circuit-open';
      if (change) return undefined;
      if (caller.kind === 'person' && !reads.take(caller.id)) return 'read-limit';
      return caller.kind === 'look' && !looks.take(caller.id) ? 'look-limit' : undefined;
    },

    enter(rank, patienceMs) {
      const until = now() + patienceMs;
      const news = hearOthers();
      const line = rank === 'confirmed' ? confirmed : others;
      return news === undefined ? line.queue(rank, until) : news.then(() => line.queue(rank, until));
    },

    async enterLast() {
      await hearOthers();
      // While somebody waits, or one request finds out about the token, there is no telling for how long.
      const soon = confirmed.isBusy() || others.isBusy() || token.circuitOpen() ? now() + newsEvery : now();
      const from = Math.max(soon, token.followUpsFrom());
      const got = token.circuitOpen() || from <= now() ? token.take() : ({ hold: 'waited-too-long' } as const);
      return 'hold' in got ? { ...got, again: turn('held', from) } : got;
    },

    leave(pass, told) {
      const learned = token.learn(pass, told);
      if (shared !== undefined && Object.keys(learned).length > 0) void exchange(learned);
    },

    async slot() {
      await hearOthers();
      const from = Math.max(now(), token.followUpsFrom());
      const given = await shared?.slot(token.followUpsPerMinute(), from - now());
      if (given === undefined) return turn('own', from);
      token.hear(given.known);
      return now() + given.inMs;
    },
  };
}

interface Line {
  isBusy(): boolean;
  /** Resolves when nobody waits. */
  served(): Promise<void>;
  queue(rank: Rank, until: number): Promise<Pass | { hold: Hold }>;
}

interface LineParts extends Pick<BudgetOptions, 'now' | 'wait'> {
  token: Token;
  /** What they leave of the minute. */
  share: number;
  /** Who goes before all of them. */
  after?: Line;
}

/** Those who wait until the token may send: changes go before reads. */
function waitingLine({ token, now, wait, share, after }: LineParts): Line {
  const waiting: Waiter[] = [];
  let serving = Promise.resolve();

  function dismiss(waiter: Waiter, result: Pass | { hold: Hold }): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.go(result);
  }

  /** Why nobody can go before `until`; undefined when they can. */
  function holdUntil(until: number): Hold | undefined {
    if (now() + token.blockedFor(share) <= until) return undefined;
    return now() + token.blockedFor(0) <= until ? 'kept-for-confirmed' : 'waited-too-long';
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
      return new Promise((go) => {
        waiting.push({ rank, until, go });
        if (waiting.length === 1) serving = serve();
      });
    },
  };
}

/** So many in any minute for each person. */
function perMinute(now: () => number, most: number): { take(person: string): boolean } {
  const times = new Map<string, number[]>();
  return {
    take(person) {
      const since = now() - minuteMs;
      const recent = (times.get(person) ?? []).filter((at) => at > since);
      if (recent.length >= most) return false;
      times.set(person, [...recent, now()]);
      return true;
    },
  };
}
