import { defined } from '../defined.ts';
import type { Hold } from '../reasons.ts';
import type { Learned, Pass, Told } from './budget.ts';

/** What is known of the token, for all callers together. All times are ms by our clock. */
export interface Token {
  /** Whether a 401, or a lock-out, holds everything back. */
  circuitOpen(): boolean;
  /** How long nobody may send who leaves this share of the minute to others: 0 to 1. */
  blockedFor(share: number): number;
  /** From when follow-ups may send: they leave a fifth of each minute to people. */
  followUpsFrom(): number;
  /** How many looks a minute follow-ups may have: what they leave to people is taken off. */
  followUpsPerMinute(): number;
  take(): Pass | { hold: Hold };
  /** Takes an answer in, and says what others should know of it. */
  learn(pass: Pass, told: Told): Learned;
  /** Takes in what others learned. */
  hear(known: Learned): void;
}

/** A panel that asks for more, in ms, is asked again all the same: one odd answer must not silence the bot for good. */
const longestHold = 15 * 60_000;
const minuteMs = 60_000;
/** What follow-ups leave of each minute to people, and what everybody leaves to changes that somebody confirmed. */
const leftToPeople = 0.2;
export const leftToConfirmed = 0.1;
const looksWithoutLimit = 60;

/** Nothing is known of the token yet. */
export function createToken(now: () => number): Token {
  let limit = Number.POSITIVE_INFINITY;
  /** The token's minute: `reset` as the panel writes it, in seconds of its clock, and `endsAt` by ours. */
  let minute = { reset: 0, endsAt: 0, remaining: limit };
  let heldUntil = 0;
  let circuit: { until: number; probing: boolean } | undefined;

  function circuitOpen(): boolean {
    return circuit !== undefined && (now() < circuit.until || circuit.probing);
  }

  function blockedFor(share: number): number {
    // Answers that still speak of the minute that is over come late: the next one ends at least a second after it.
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

  function hear({ limit: known, minute: theirs, heldFor = 0, openFor = 0 }: Learned): void {
    limit = known ?? limit;
    if (theirs !== undefined) setMinute(theirs);
    if (heldFor > 0) heldUntil = Math.max(heldUntil, now() + heldFor);
    if (openFor > 0) {
      const until = Math.max(circuit?.until ?? 0, now() + openFor);
      circuit = { until, probing: circuit?.probing ?? false };
    }
  }

  return {
    circuitOpen,
    blockedFor,
    hear,

    followUpsFrom() {
      return Math.max(now() + blockedFor(leftToPeople), circuit?.until ?? 0);
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

    learn({ probe }, { status, headers = {}, lockedOutFor }) {
      const learned: Learned = limitsIn(headers, now());
      if (status === 401) learned.openFor = minuteMs;
      else if (lockedOutFor !== undefined) learned.openFor = Math.min(lockedOutFor * 1000, longestHold);
      else if (probe && status !== undefined) learned.openFor = 0;
      if (status === 429)
        learned.heldFor = Math.min(Math.max(wholeNumber(headers['retry-after']) ?? 0, 1) * 1000, longestHold);
      // What the probe found out replaces what was believed; one that found out nothing leaves it to the next.
      if (learned.openFor !== undefined) circuit = undefined;
      else if (probe && circuit) circuit = { ...circuit, probing: false };
      hear(learned);
      return learned;
    },
  };
}

function limitsIn(headers: NonNullable<Told['headers']>, at: number): Learned {
  const limit = wholeNumber(headers['x-ratelimit-limit']);
  const remaining = wholeNumber(headers['x-ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const learned: Learned = defined({ limit });
  if (remaining === undefined || reset === undefined) return learned;
  // The clocks may disagree, but it cannot be longer than a minute.
  const endsIn = Math.min(Math.max(reset * 1000 - at, 0), minuteMs);
  return { ...learned, minute: { reset, remaining, endsIn } };
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
