import type { NotSentReason } from '../reasons.ts';
import { createAddress } from './address.ts';
import { type Budget, createBudget, createReads, type Rank } from './budget.ts';
import { changes, type Endpoint, type EndpointName, endpoints, type Input } from './endpoints.ts';
import { redactor } from './redact.ts';
import type { Pass } from './token.ts';
import { buildPath } from './url.ts';

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

/** A request relative to the base URL. */
export interface Request {
  method: Endpoint['method'];
  path: string;
  /** JSON text; null for none. */
  body: string | null;
  change: boolean;
  /** sync=true waits for the hypervisor. */
  sync: boolean;
}

/** The request for an input. Throws a TypeError that names the parameter that does not match. */
export function buildRequest<E extends EndpointName>(endpoint: E, input: Input<E>): Request {
  const row: Endpoint = endpoints[endpoint];
  const parsed = row.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    throw new TypeError(`${endpoint}: ${problems.join('; ')}`);
  }
  const query = new URLSearchParams();
  for (const name of row.query) {
    const value = parsed.data[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const body = Object.entries(parsed.data).filter(
    ([name]) => !row.query.includes(name) && !row.path.includes(`{${name}}`),
  );
  return {
    method: row.method,
    path: buildPath(row.path, parsed.data) + (query.size > 0 ? `?${query}` : ''),
    body: body.length > 0 ? JSON.stringify(Object.fromEntries(body)) : null,
    change: changes(endpoint, input),
    sync: parsed.data['sync'] === true,
  };
}

/** The same as it would stand on the wire: method, path and body. */
export function requestLine<E extends EndpointName>(endpoint: E, input: Input<E>): string {
  const { method, path, body } = buildRequest(endpoint, input);
  return `${method} ${path}${body === null ? '' : ` ${body}`}`;
}
