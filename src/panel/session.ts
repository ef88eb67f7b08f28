import type { Hold } from '../reasons.ts';
import { createAddress } from './address.ts';
import { type Budget, createBudget, createReads, type Pass, type Rank, type SharedBudget } from './budget.ts';
import { redactor } from './redact.ts';

/** A token, and what it may still send. */
export interface Session {
  token: string;
  budget: Budget;
}

/** The token in use: it may be another one at any time. */
export interface Sessions {
  current(): Session;
  /** A token that cannot be used throws a TypeError, without repeating it. */
  use(token: string): void;
  /** Waits for leave to send, of the token that is in use by then. */
  enter(rank: Rank, patienceMs: number): Promise<{ by: Session; pass: Pass | { hold: Hold } }>;
  /** The same for a follow-up, which does not wait for leave. `again`: when to try again, in ms. */
  enterLast(): Promise<{ by: Session; pass: Pass | { hold: Hold; again: number } }>;
  /** Takes the token in use and those before it out of a text: an answer may come late. */
  redact(text: string): string;
}

interface SessionOptions {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  shared: ((token: string) => SharedBudget) | undefined;
}

/** How many tokens are kept out of texts: a bot that runs for years gets many, and each costs time with every answer. */
const remembered = 8;

export function createSessions(first: string, { now, wait, shared }: SessionOptions): Sessions {
  const reads = createReads(now);
  const address = createAddress(now);
  const begin = (token: string): Session => {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("the panel's token must be one word of plain ASCII");
    return { token, budget: createBudget({ now, wait, reads, address, shared: shared?.(token) }) };
  };
  let current = begin(first);
  const redactors = new Map([[first, redactor(first)]]);

  return {
    current: () => current,
    use(token) {
      current = begin(token);
      redactors.delete(token);
      redactors.set(token, redactor(token));
      for (const old of [...redactors.keys()].slice(0, -remembered)) redactors.delete(old);
    },
    async enter(rank, patienceMs) {
      const by = current;
      const arrived = now();
      const pass = await by.budget.enter(rank, patienceMs);
      if (by === current || 'hold' in pass) return { by, pass };
      by.budget.leave(pass, {});
      return await this.enter(rank, patienceMs - (now() - arrived));
    },
    async enterLast() {
      const by = current;
      const pass = await by.budget.enterLast();
      // Other processes are asked first, and meanwhile the token may become another one.
      if (by === current || 'hold' in pass) return { by, pass };
      by.budget.leave(pass, {});
      return await this.enterLast();
    },
    redact: (text) => [...redactors.values()].reduce((rest, redact) => redact(rest), text),
  };
}
