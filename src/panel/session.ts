import type { NotSentReason } from '../reasons.ts';
import { type Budget, createBudget, createReads, type Rank } from './budget.ts';
import { redactor } from './redact.ts';
import { createAddress, type Pass } from './token.ts';

export interface Session {
  token: string;
  budget: Budget;
}

/** The token in use, which `use` may replace at any time. */
interface Sessions {
  current(): Session;
  /** Replaces the token. Throws a TypeError for an unusable token, without repeating it. */
  use(token: string): void;
  /** Waits until the token that is then in use may send. */
  enter(rank: Rank, patienceMs: number): Promise<{ by: Session; pass: Pass | { hold: NotSentReason } }>;
  /** Like `enter`, for a follow-up, which does not wait. `again`: when to try again, in ms. */
  enterLast(): { by: Session; pass: Pass | { hold: NotSentReason; again: number } };
  /** Removes the current and earlier tokens from a text: an answer to an earlier one may come late. */
  redact(text: string): string;
}

interface SessionOptions {
  now: () => number;
  wait: (ms: number) => Promise<void>;
}

/** How many tokens to redact. A bot that runs for years gets many, and each costs time with every answer. */
const maxRedactors = 8;

export function createSessions(first: string, { now, wait }: SessionOptions): Sessions {
  const reads = createReads(now);
  const address = createAddress(now);
  const begin = (token: string): Session => {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("the panel's token must be one word of plain ASCII");
    return { token, budget: createBudget({ now, wait, reads, address }) };
  };
  let current = begin(first);
  const redactors = new Map([[first, redactor(first)]]);

  return {
    current: () => current,
    use(token) {
      current = begin(token);
      redactors.delete(token);
      redactors.set(token, redactor(token));
      for (const old of [...redactors.keys()].slice(0, -maxRedactors)) redactors.delete(old);
    },
    async enter(rank, patienceMs) {
      const by = current;
      const arrived = now();
      const pass = await by.budget.enter(rank, patienceMs);
      if (by === current || 'hold' in pass) return { by, pass };
      by.budget.leave(pass, {});
      return await this.enter(rank, patienceMs - (now() - arrived));
    },
    enterLast: () => ({ by: current, pass: current.budget.enterLast() }),
    redact: (text) => [...redactors.values()].reduce((rest, redact) => redact(rest), text),
  };
}
