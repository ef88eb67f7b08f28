import { defined } from '../defined.ts';
import type { Failure, Reply } from './errors.ts';
import { limitsIn } from './token.ts';

/** What the panel's answers say beside their content. Each fact is that of the last answer that had it. */
export interface Seen {
  /** When the panel's certificate ends, in ms. */
  certificateEnd?: number;
  /** How far the panel's clock is ahead of ours, in ms. */
  skew?: number;
  budget?: { limit: number; remaining: number };
  /** Why the last attempt brought no answer: undici's, OpenSSL's or the system's code. */
  code?: string;
}

export interface Seeing {
  now(): Seen;
  certificate(end: number): void;
  came(came: Reply | Failure): void;
}

export function createSeen(now: () => number): Seeing {
  let seen: Seen = {};
  return {
    now: () => seen,
    certificate(certificateEnd) {
      seen = { ...seen, certificateEnd };
    },
    came(came) {
      const { code: _, ...before } = seen;
      if ('code' in came) {
        seen = { ...before, code: came.code };
        return;
      }
      const { limit, minute } = limitsIn(came.headers, now());
      const budget = limit === undefined || minute === undefined ? undefined : { limit, remaining: minute.remaining };
      seen = { ...before, ...defined({ budget, skew: skewOf(came.headers['date'], now()) }) };
    },
  };
}

/** A Date header has whole seconds: on average it is half a second late. */
function skewOf(date: string | string[] | undefined, now: number): number | undefined {
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? undefined : at + 500 - now;
}
