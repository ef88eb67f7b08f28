import type { NotSentReason } from '../reasons.ts';
import { createPauses, isLockOut, type TokenAnswer } from './reply.ts';

/** Permission to send one request with this token. */
export interface Pass {
  token: string;
  /** Learns from the answer, of which it takes none as well. Returns for how many ms it forbids further requests. */
  leave(told: TokenAnswer): number;
}

/** What the token has left in this minute, if known. `circuitOpen`: nothing goes after a 401 or a lock-out. */
export interface BudgetLeft {
  circuitOpen: boolean;
  limit?: number;
  remaining?: number;
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
  take(): Pass | { hold: NotSentReason };
  left(): BudgetLeft;
}

interface Limits {
  /** Requests a minute. */
  limit?: number;
  /** `reset` as the panel writes it, in seconds of its clock; `endsIn` in ms. */
  minute?: { reset: number; remaining: number; endsIn: number };
}

const minuteMs = 60_000;
/** The shares of each minute that follow-ups leave to people, and that everybody leaves to confirmed changes. */
const leftToPeople = 0.2;
export const leftToConfirmed = 0.1;
const looksWithoutLimit = 60;

/** The state of a new token: nothing is known yet, except how the panel treats the address. */
export function createToken(token: string, now: () => number, address: Address): Token {
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

  function setMinute({ reset, remaining, endsIn }: NonNullable<Limits['minute']>): void {
    if (reset < minute.reset) return;
    if (reset === minute.reset) minute.remaining = Math.min(minute.remaining, remaining);
    else minute = { reset, endsAt: now() + endsIn, remaining };
  }

  /** For how long the token counts as refused; 0 once it works again. Undefined: the answer does not say. */
  function refusedFor(status: number | undefined, probe: boolean, lockOut: number | undefined): number | undefined {
    if (status === 401) {
      address.refused(self);
      return minuteMs;
    }
    if (lockOut !== undefined) {
      address.lockedOut(lockOut);
      return lockOut;
    }
    if (!probe || status === undefined) return undefined;
    address.accepted();
    return 0;
  }

  /** `probe`: of the request that tests the token again. */
  function learn(probe: boolean, { status, headers = {}, body }: TokenAnswer): number {
    const { limit: told, minute: window } = limitsIn(headers, now());
    const pause = pauseAfter({ status, headers, body }, now());
    const openFor = refusedFor(status, probe, isLockOut(body) ? pause : undefined);
    // The result of the probe replaces the old state. A probe without a result leaves it to the next.
    if (openFor !== undefined) circuit = undefined;
    else if (probe && circuit) circuit = { ...circuit, probing: false };
    limit = told ?? limit;
    if (window !== undefined) setMinute(window);
    if (pause !== undefined) heldUntil = Math.max(heldUntil, now() + pause);
    openUntil(now() + (openFor ?? 0));
    return Math.max(pause ?? 0, openFor ?? 0);
  }

  return {
    circuitOpen,
    blockedFor,

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
      const probe = circuit !== undefined;
      if (circuit !== undefined) circuit.probing = true;
      return { token, leave: (told) => learn(probe, told) };
    },
  };
}

export function limitsIn(headers: NonNullable<TokenAnswer['headers']>, at: number): Limits {
  // A limit of nothing would never be learned again.
  const limit = wholeNumber(headers['x-ratelimit-limit']) || undefined;
  const remaining = wholeNumber(headers['x-ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const known: Limits = limit === undefined ? {} : { limit };
  if (remaining === undefined || reset === undefined) return known;
  // The clocks may differ, but a window never exceeds a minute.
  const endsIn = Math.min(Math.max(reset * 1000 - at, 0), minuteMs);
  return { ...known, minute: { reset, remaining, endsIn } };
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}

/** How the panel treats the address of this machine, whatever the token. All times are in ms by our clock. */
export interface Address {
  /** The panel refused a token. `by`: an object that identifies the token. */
  refused(by: object): void;
  lockedOut(ms: number): void;
  /** The panel accepted a token under test. */
  accepted(): void;
  /** When any token may send again. */
  closedUntil(): number;
  /** Whether the panel's last verdict was a refusal or a lock-out: a new token may then send one request as a test. */
  isSuspect(): boolean;
}

/** Ten failed authentications lock the address out: after two refused tokens in a minute, nobody sends for one. */
export function createAddress(now: () => number): Address {
  let last: { by: object; until: number } | undefined;
  let closedUntil = 0;
  let suspect = false;
  const close = (until: number): void => {
    closedUntil = Math.max(closedUntil, until);
  };
  return {
    isSuspect: () => suspect,
    closedUntil: () => closedUntil,
    lockedOut(ms) {
      suspect = true;
      close(now() + ms);
    },
    accepted() {
      suspect = false;
    },
    refused(by) {
      const until = now() + minuteMs;
      if (last !== undefined && now() < last.until && last.by !== by) close(until);
      suspect = true;
      last = { by, until };
    },
  };
}
