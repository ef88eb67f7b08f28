import type { Hold } from '../reasons.ts';
import { type Address, createAddress } from './address.ts';
import type { TokenAnswer } from './reply.ts';
import { createPauses, isLockOut } from './retry-after.ts';

/**
 * Permission to send one request; return it with `leave`. `probe`: the one request that tests whether the token works
 * again.
 */
export interface Pass {
  probe: boolean;
}

/**
 * The token's remaining requests in this minute, if the panel reports them. `circuitOpen`: requests are held back after a
 * 401 or a lock-out.
 */
export interface BudgetLeft {
  circuitOpen: boolean;
  limit?: number;
  remaining?: number;
}

/** What processes share about the token. Times are in ms from now, because clocks differ. */
export interface Learned {
  /** Requests a minute. */
  limit?: number;
  /** `reset` as the panel writes it, in seconds of its clock. */
  minute?: { reset: number; remaining: number; endsIn: number };
  /** How long nobody may send. */
  heldFor?: number;
  /** How long the token counts as refused; 0 once it works again. */
  openFor?: number;
}

/** The state of the token, for all callers together. All times are ms by this process's clock. */
export interface Token {
  /** Whether a 401 or a lock-out blocks everything. */
  circuitOpen(): boolean;
  /** How long callers that leave this share (0 to 1) of the minute to others may not send. */
  blockedFor(share: number): number;
  /** When follow-ups may send again: they leave a fifth of each minute to people. */
  followUpsFrom(): number;
  /** How many looks a minute follow-ups may send, without the share that they leave to people. */
  followUpsPerMinute(): number;
  take(): Pass | { hold: Hold };
  left(): BudgetLeft;
  /** Learns from an answer and returns what other processes should know. */
  learn(pass: Pass, told: TokenAnswer): Learned;
  /** Applies what other processes learned. */
  apply(known: Learned): void;
}

const minuteMs = 60_000;
/** The shares of each minute that follow-ups leave to people, and that everybody leaves to confirmed changes. */
const leftToPeople = 0.2;
export const leftToConfirmed = 0.1;
const looksWithoutLimit = 60;

/** The state of a new token: nothing is known yet, except how the panel treats the address. */
export function createToken(now: () => number, address: Address = createAddress(now)): Token {
  let limit = Number.POSITIVE_INFINITY;
  /** The current window: `reset` as the panel sends it, in seconds of its clock, and `endsAt` by this process's clock. */
  let minute = { reset: 0, endsAt: 0, remaining: limit };
  let heldUntil = 0;
  const pauseAfter = createPauses();
  // After a refusal or a lock-out, one request tests this token.
  let circuit: { until: number; probing: boolean } | undefined = address.isSuspect()
    ? { until: 0, probing: false }
    : undefined;
  /** Identifies this token to `address`. */
  const self = {};

  function openUntil(until: number): void {
    if (until > now()) circuit = { until: Math.max(circuit?.until ?? 0, until), probing: circuit?.probing ?? false };
  }

  function circuitOpen(): boolean {
    // Answers to another token may have locked the address meanwhile.
    openUntil(address.closedUntil());
    return circuit !== undefined && (now() < circuit.until || circuit.probing);
  }

  function blockedFor(share: number): number {
    // Late answers may still describe the last window: the next one ends at least a second after it.
    if (now() >= minute.endsAt) {
      minute = { reset: minute.reset + 1, endsAt: now() + minuteMs, remaining: limit };
    }
    const left = Number.isFinite(limit) ? Math.floor(limit * share) : 0;
    return Math.max(0, heldUntil - now(), minute.remaining > left ? 0 : minute.endsAt - now());
  }

  function setMinute({ reset, remaining, endsIn }: NonNullable<Learned['minute']>): void {
    if (reset < minute.reset) return;
    if (reset === minute.reset) minute.remaining = Math.min(minute.remaining, remaining);
    else minute = { reset, endsAt: now() + endsIn, remaining };
  }

  function apply({ limit: known, minute: sharedMinute, heldFor = 0, openFor = 0 }: Learned): void {
    limit = known ?? limit;
    if (sharedMinute !== undefined) setMinute(sharedMinute);
    if (heldFor > 0) heldUntil = Math.max(heldUntil, now() + heldFor);
    openUntil(now() + openFor);
  }

  return {
    circuitOpen,
    blockedFor,
    apply,

    left() {
      const remaining = Math.max(0, now() >= minute.endsAt ? limit : minute.remaining);
      return { circuitOpen: circuitOpen(), ...(Number.isFinite(limit) ? { limit, remaining } : {}) };
    },

    followUpsFrom() {
      return Math.max(now() + blockedFor(leftToPeople), address.closedUntil(), circuit?.until ?? 0);
    },

    followUpsPerMinute() {
      if (!Number.isFinite(limit)) return looksWithoutLimit;
      return Math.max(1, Math.floor(limit * (1 - leftToPeople)));
    },

    take() {
      if (circuitOpen()) return { hold: 'circuit-open' };
      minute.remaining -= 1;
      if (circuit === undefined) return { probe: false };
      circuit.probing = true;
      return { probe: true };
    },

    learn({ probe }, { status, headers = {}, body }) {
      const learned: Learned = limitsIn(headers, now());
      const pause = pauseAfter({ status, headers, body }, now());
      if (status === 401) {
        learned.openFor = minuteMs;
        address.refused(self);
      } else if (pause !== undefined && isLockOut(body)) {
        learned.openFor = pause;
        address.lockedOut(learned.openFor);
      } else if (probe && status !== undefined) {
        learned.openFor = 0;
        address.accepted();
      }
      if (pause !== undefined) learned.heldFor = pause;
      // The result of the probe replaces the old state. A probe without a result leaves it to the next.
      if (learned.openFor !== undefined) circuit = undefined;
      else if (probe && circuit) circuit = { ...circuit, probing: false };
      apply(learned);
      return learned;
    },
  };
}

export function limitsIn(headers: NonNullable<TokenAnswer['headers']>, at: number): Learned {
  // A limit of nothing would never be learned again.
  const limit = wholeNumber(headers['x-ratelimit-limit']) || undefined;
  const remaining = wholeNumber(headers['x-ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const learned: Learned = limit === undefined ? {} : { limit };
  if (remaining === undefined || reset === undefined) return learned;
  // The clocks may differ, but a window never exceeds a minute.
  const endsIn = Math.min(Math.max(reset * 1000 - at, 0), minuteMs);
  return { ...learned, minute: { reset, remaining, endsIn } };
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
