import type { Hold } from '../outcome.ts';

/** Who causes a call. The id is the Discord user's. */
export type Caller = { kind: 'person'; id: string } | { kind: 'bot' };

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

export interface Budget {
  /** Counts a call. A person has 20 reads in any 60 seconds. */
  admit(caller: Caller, change: boolean): Hold | undefined;
  /** Waits, at most `patienceMs`, until a request may go out. Changes go before reads. */
  enter(change: boolean, patienceMs: number): Promise<Pass | { hold: Hold }>;
  leave(pass: Pass, told: Told): void;
}

interface Waiter {
  change: boolean;
  until: number;
  go: (result: Pass | { hold: Hold }) => void;
}

const minuteMs = 60_000;
const readsPerMinute = 20;

/**
 * What the token may still send, for all callers together: the panel's Retry-After and X-RateLimit headers, a circuit that a 401
 * opens (ten failed authentications lock the address out), and the reads of each person. `wait` must move `now`.
 */
export function createBudget({ now, wait }: { now: () => number; wait: (ms: number) => Promise<void> }): Budget {
  const reads = new Map<string, number[]>();
  const waiting: Waiter[] = [];
  let limit = Number.POSITIVE_INFINITY;
  /** The token's minute: `reset` as the panel writes it, in seconds of its clock, and `endsAt` by ours. */
  let minute = { reset: 0, endsAt: 0, remaining: limit };
  let heldUntil = 0;
  let circuit: { until: number; probing: boolean } | undefined;

  function circuitOpen(): boolean {
    return circuit !== undefined && (now() < circuit.until || circuit.probing);
  }

  function blockedFor(): number {
    // Answers that still speak of the minute that is over come late: the next one ends at least a second after it.
    if (now() >= minute.endsAt) {
      minute = { reset: minute.reset + 1, endsAt: now() + minuteMs, remaining: limit };
    }
    return Math.max(0, heldUntil - now(), minute.remaining > 0 ? 0 : minute.endsAt - now());
  }

  function take(): Pass | { hold: Hold } {
    if (circuitOpen()) return { hold: 'circuit-open' };
    minute.remaining -= 1;
    if (circuit === undefined) return { probe: false };
    circuit.probing = true;
    return { probe: true };
  }

  function dismiss(waiter: Waiter, result: Pass | { hold: Hold }): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    waiter.go(result);
  }

  async function serve(): Promise<void> {
    while (waiting.length > 0) {
      const ms = blockedFor();
      for (const waiter of waiting.filter(({ until }) => now() + ms > until)) {
        dismiss(waiter, { hold: 'waited-too-long' });
      }
      const next = waiting.find(({ change }) => change) ?? waiting[0];
      if (ms === 0 && next) dismiss(next, take());
      else if (next) await wait(ms);
    }
  }

  function learn(headers: NonNullable<Told['headers']>): void {
    const remaining = wholeNumber(headers['x-ratelimit-remaining']);
    const reset = wholeNumber(headers['x-ratelimit-reset']);
    limit = wholeNumber(headers['x-ratelimit-limit']) ?? limit;
    if (remaining === undefined || reset === undefined || reset < minute.reset) return;
    if (reset === minute.reset) {
      minute.remaining = Math.min(minute.remaining, remaining);
      return;
    }
    // The clocks may disagree, but it cannot be longer than a minute.
    const endsIn = Math.min(Math.max(reset * 1000 - now(), 0), minuteMs);
    minute = { reset, endsAt: now() + endsIn, remaining };
  }

  return {
    admit(caller, change) {
      if (circuitOpen()) return 'circuit-open';
      if (change || caller.kind !== 'person') return undefined;
      const recent = (reads.get(caller.id) ?? []).filter((at) => at > now() - minuteMs);
      if (recent.length >= readsPerMinute) return 'read-limit';
      reads.set(caller.id, [...recent, now()]);
      return undefined;
    },

    enter(change, patienceMs) {
      if (blockedFor() > patienceMs) return Promise.resolve({ hold: 'waited-too-long' });
      return new Promise((go) => {
        waiting.push({ change, until: now() + patienceMs, go });
        if (waiting.length === 1) void serve();
      });
    },

    leave(pass, { status, headers = {}, lockedOutFor }) {
      learn(headers);
      if (status === 401) circuit = { until: now() + minuteMs, probing: false };
      else if (lockedOutFor !== undefined) circuit = { until: now() + lockedOutFor * 1000, probing: false };
      else if (pass.probe) circuit = status === undefined && circuit ? { ...circuit, probing: false } : undefined;
      if (status === 429) {
        const seconds = Math.max(wholeNumber(headers['retry-after']) ?? 0, 1);
        heldUntil = Math.max(heldUntil, now() + seconds * 1000);
      }
    },
  };
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
