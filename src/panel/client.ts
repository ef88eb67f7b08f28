import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../metrics/observe.ts';
import type { CallResult, Log } from '../outcome.ts';
import type { NotSentReason } from '../reasons.ts';
import { type Caller, createBudget, type Rank } from './budget.ts';
import { buildRequest, type Data, type EndpointName, type Input, joinPath, type Request } from './endpoints.ts';
import { readDocument, readFailure, readReply } from './errors.ts';
import { redactors } from './redact.ts';
import { type Failure, isLockOut, type Reply } from './reply.ts';
import type { BudgetLeft, Pass } from './token.ts';
import { normalizePanelUrl } from './url.ts';
import { createWire, type PanelFacts } from './wire.ts';

export interface PanelOptions {
  /** Any form that normalizePanelUrl accepts. */
  url: string;
  token: string;
  /** PEM of a CA to trust in addition to the usual ones. */
  ca?: string;
  /** Milliseconds. */
  now?: () => number;
  /** From 0 to below 1. */
  random?: () => number;
  /** Must advance `now` by `ms`. */
  wait?: (ms: number) => Promise<void>;
  timeouts?: { connectMs: number; answerMs: number; syncMs: number };
  /** How many times a read is sent at most, and how long one call may wait for the token's budget, in ms. */
  attempts?: number;
  patienceMs?: number;
  /** Asked last, as a change is about to be written: false, and it is not. */
  mayLeave?: () => boolean;
  observe?: Pick<Observe, 'requested'>;
  /** Called with each wait, and what it is for. */
  onWait?: (words: string, ms: number) => void;
  log?: Log;
}

/** The result of a look. `again`: when a follow-up may try again, in ms. */
type LookResult = CallResult<unknown> & { again?: number };

export interface Panel {
  /**
   * Calls one endpoint. The answer covers whatever happens on the wire. Rejects only for invalid input, with a
   * TypeError that names the parameter. Reads are retried; changes only if nothing was sent or the panel answered 429.
   * A change by a follow-up rejects too. `held` is called right before each attempt, which may come half a minute
   * late: a reason to send nothing, if there is one by then.
   */
  call<E extends EndpointName>(
    endpoint: E,
    input: Input<E>,
    caller: Caller,
    held?: () => NotSentReason | undefined,
  ): Promise<CallResult<Data<E>>>;
  /**
   * Reads a JSON document outside the endpoints, `['queue', 5001]` for /queue/5001, and returns it unchanged. For a
   * follow-up this sends once and never waits. Rejects with a TypeError if a part does not fit into a path.
   */
  look(
    parts: readonly (string | number)[],
    caller: Caller,
    query?: Readonly<Record<string, string | number>>,
  ): Promise<LookResult>;
  /** Reserves a slot for one look of a follow-up, and returns its time, in ms. */
  slot(): number;
  /** Sends this token with new requests; those in progress keep theirs. Throws a TypeError for an unusable token. */
  useToken(token: string): void;
  /** The remaining budget, as far as this process knows. Sends nothing. */
  budgetLeft(): BudgetLeft;
  /** What the answers so far revealed beside their content: clock, certificate, limits. */
  facts(): PanelFacts;
  /** Stops sending, and waits for the requests in progress. */
  close(): Promise<void>;
}

const usual = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: async (ms: number): Promise<void> => sleep(ms),
  onWait: (): void => undefined,
  attempts: 3,
  patienceMs: 30_000,
  timeouts: { connectMs: 5_000, answerMs: 15_000, syncMs: 45_000 },
};

/** One call: its name in the log, the request, and how to read the answer. */
interface Operation<T> {
  name: string;
  request: Request;
  rank: Rank;
  read(reply: Reply): CallResult<T>;
  held?: (() => NotSentReason | undefined) | undefined;
}

const limited = 'The panel limits the requests of its token.';
const locked = 'The panel has locked out the address of the bot.';
const refused = 'The panel refuses its token, and would lock out an address that goes on: nothing is sent.';

const waitWords = ({ status, body }: Reply): string => {
  if (status === 401) return refused;
  return isLockOut(body) ? locked : limited;
};

const namingWaits = <T extends Required<Pick<PanelOptions, 'wait'>> & PanelOptions>(options: T): T => ({
  ...options,
  wait(ms: number) {
    options.onWait?.(limited, ms);
    return options.wait(ms);
  },
});

/** The client of one panel with one token. Throws a TypeError for an unusable URL or token, without repeating it. */
export function createPanel(options: PanelOptions): Panel {
  const { now, random, wait, onWait, attempts, patienceMs, timeouts } = namingWaits({ ...usual, ...options });
  const { origin, pathname } = baseUrl(options);
  const { ca, mayLeave } = options;
  const wire = createWire(origin, { ...timeouts, ca, mayLeave, now });
  const budget = createBudget({ token: options.token, now, wait });
  // Debug pages and gateways echo the request: the token must not get onto a card or into the ledger.
  const tokens = redactors(options.token);
  const { redact } = tokens;

  async function attempt<T>({ name, request, read }: Operation<T>, pass: Pass): Promise<CallResult<T>> {
    const started = now();
    const outgoing = outgoingOf(request, { token: pass.token, pathname, timeouts });
    // On a kept connection a change can meet the server's close: it looks sent without having arrived.
    const result = await wire.send(outgoing, request.isChange);
    report(options, { endpoint: name, status: result.status, ms: now() - started }, result);
    if ('code' in result) {
      pass.leave({ status: result.status });
      return readFailure(result);
    }
    onWait(waitWords(result), pass.leave(result));
    return read(result);
  }

  async function untilAnswered<T>(operation: Operation<T>): Promise<CallResult<T>> {
    let last: CallResult<T> | undefined;
    /** The last answer after which something may have been sent. */
    let lastSent: CallResult<T> | undefined;
    let patience = patienceMs;
    for (let count = 1; ; count += 1) {
      const arrived = now();
      const pass = await budget.enter(operation.rank, patience);
      if ('hold' in pass) return lastSent ?? last ?? { kind: 'not-sent', reason: pass.hold };
      patience -= now() - arrived;
      const hold = operation.held?.();
      if (hold !== undefined) {
        pass.leave({});
        return lastSent ?? { kind: 'not-sent', reason: hold };
      }
      last = await attempt(operation, pass);
      if (last.kind !== 'not-sent') lastSent = last;
      if (!mayRetry(last, operation.request.isChange, attempts - count)) return lastSent ?? last;
      // After a 429 the budget waits, for as long as the panel said.
      if (last.kind !== 'no') await wait(250 * 2 ** (count - 1) * (0.5 + random()));
    }
  }

  async function run<T>(operation: Operation<T>, caller: Caller): Promise<CallResult<T> & { again?: number }> {
    const { isChange } = operation.request;
    if (caller.kind === 'follow-up') {
      if (isChange) throw new TypeError(`${operation.name}: a follow-up changes nothing`);
      const pass = budget.enterLast();
      return 'hold' in pass
        ? { kind: 'not-sent', reason: pass.hold, again: pass.again }
        : await attempt(operation, pass);
    }
    const hold = budget.charge(caller, isChange);
    return hold === undefined ? await untilAnswered(operation) : { kind: 'not-sent', reason: hold };
  }

  return {
    async call(endpoint, input, caller, held) {
      const request = buildRequest(endpoint, input);
      const read = (reply: Reply): CallResult<Data<typeof endpoint>> => readReply(endpoint, reply, redact);
      return await run({ name: endpoint, request, rank: rankOf(caller, request), read, held }, caller);
    },
    async look(parts, caller, query = {}) {
      const path = joinPath(parts) + queryText(query);
      const request: Request = { method: 'GET', path, body: null, isChange: false, sync: false };
      return await run({ name: 'look', request, rank: 'read', read: (reply) => readDocument(reply, redact) }, caller);
    },
    slot: budget.slot,
    budgetLeft: budget.left,
    facts: wire.facts,
    useToken(token) {
      budget.use(token);
      tokens.add(token);
    },
    close: wire.close,
  };
}

const queryText = (query: Readonly<Record<string, string | number>>): string => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
};

function outgoingOf(
  request: Request,
  { token, pathname, timeouts }: Required<Pick<PanelOptions, 'token' | 'timeouts'>> & { pathname: string },
) {
  const { method, path, body, sync } = request;
  const answerMs = sync ? timeouts.syncMs : timeouts.answerMs;
  return { method, path: pathname + path, headers: headers(token, request), body, answerMs };
}

/** Follow-ups look hundreds of times a minute, and log failing looks themselves, once. */
function report(
  { observe, log }: Pick<PanelOptions, 'observe' | 'log'>,
  facts: { endpoint: string; status: number | undefined; ms: number },
  result: Reply | Failure,
): void {
  observe?.requested(facts.endpoint, statusOf(result), facts.ms);
  const isLook = facts.endpoint === 'look';
  if ('code' in result) {
    log?.[isLook ? 'debug' : 'warn']({ ...facts, code: result.code, sent: result.sent }, 'no answer from the panel');
  } else log?.[isLook ? 'debug' : 'info'](facts, 'the panel answered');
}

const rankOf = ({ kind }: Caller, { isChange }: Request): Rank =>
  kind === 'confirmed' ? 'confirmed' : isChange ? 'change' : 'read';

const statusOf = (result: Reply | Failure): string => {
  if (result.status !== undefined) return String(result.status);
  return 'sent' in result && result.sent ? 'no-answer' : 'not-sent';
};

/** A read may be retried. A change only if it cannot have happened: nothing was sent, or the panel answered 429. */
function mayRetry(result: CallResult<unknown>, isChange: boolean, left: number): boolean {
  if (result.kind === 'yes') return false;
  if (result.kind === 'no') {
    if (result.reason === 'rate-limited') return isChange || left > 0;
    return result.reason === 'requests-limited' && !isChange && left > 0;
  }
  if (left <= 0) return false;
  if (result.kind === 'not-sent') return result.reason !== 'certificate' && result.reason !== 'bot-restarted';
  if (isChange) return false;
  const { reason, status = 0 } = result;
  return reason === 'connection-lost' || reason === 'server-error' || (reason === 'not-json' && status >= 500);
}

function headers(token: string, { body }: Request): Record<string, string> {
  const always = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'panelops/0.1',
  };
  return body === null ? always : { ...always, 'content-type': 'application/json' };
}

function baseUrl({ url }: PanelOptions): URL {
  const normal = normalizePanelUrl(url);
  if ('problem' in normal) throw new TypeError(`the panel's URL ${normal.problem}`);
  return new URL(normal.url);
}
