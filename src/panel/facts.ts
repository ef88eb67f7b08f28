import type { Failure } from './errors.ts';
import type { Reply } from './reply.ts';
import { limitsIn } from './token.ts';

/** What the panel's answers reveal beside their content. Each fact comes from the last answer that had it. */
export interface PanelFacts {
  /** When the panel's certificate ends, in ms. */
  certificateEnd?: number;
  /** How far the panel's clock is ahead of ours, in ms. */
  skew?: number;
  budget?: { limit: number; remaining: number };
  /** Why the last attempt brought no answer: undici's, OpenSSL's or the system's code. */
  code?: string;
}

export interface PanelFactsRecorder {
  now(): PanelFacts;
  recordCertificate(end: number): void;
  record(result: Reply | Failure): void;
}

export function createPanelFacts(now: () => number): PanelFactsRecorder {
  let seen: PanelFacts = {};
  return {
    now: () => seen,
    recordCertificate(certificateEnd) {
      seen = { ...seen, certificateEnd };
    },
    record(result) {
      const { code: _, ...before } = seen;
      if ('code' in result) {
        seen = { ...before, code: result.code };
        return;
      }
      const { limit, minute } = limitsIn(result.headers, now());
      const budget = limit === undefined || minute === undefined ? undefined : { limit, remaining: minute.remaining };
      seen = {
        ...before,
        budget: budget ?? before.budget,
        skew: skewOf(result.headers['date'], now()) ?? before.skew,
      };
    },
  };
}

/** A Date header has whole seconds: on average it is half a second late. */
function skewOf(date: string | string[] | undefined, now: number): number | undefined {
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? undefined : at + 500 - now;
}
