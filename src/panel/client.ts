import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../defined.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Answer, Log } from '../outcome.ts';
import type { Hold } from '../reasons.ts';
import type { Caller, Left, Pass, Rank, SharedBudget } from './budget.ts';
import type { Data, EndpointName, Input } from './endpoints.ts';
import { type Failure, lockedOutFor, type Reply, readDocument, readFailure, readReply } from './errors.ts';
import { buildRequest, type Request } from './request.ts';
import { createSeen, type Seen } from './seen.ts';
import { createSessions, type Session } from './session.ts';
import { joinPath, normalizePanelUrl } from './url.ts';
import { createWire } from './wire.ts';

export type { Learned, SharedBudget } from './budget.ts';

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
  /** How often a read is sent at most, and how long one call may wait for the token's budget, in ms. */
  attempts?: number;
  patienceMs?: number;
  /** What other processes with that token learn of its limits; left out: there are none. */
  shared?: (token: string) => SharedBudget;
  observe?: Pick<Observe, 'requested'>;
  log?: Log;
}

/** The result of a look. `again`: when a follow-up may try again, in ms. */
type LookAnswer = Answer<unknown> & { again?: number };

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
    held?: () => Hold | undefined,
  ): Promise<Answer<Data<E>>>;
  /**
   * Reads a JSON document outside the endpoints, `['queue', 5001]` for /queue/5001, and returns it unchanged. For a
   * follow-up this sends once and never waits. Rejects with a TypeError if a part does not fit into a path.
   */
  look(parts: readonly (string | number)[], caller: Caller): Promise<LookAnswer>;
  /**
   * Reserves a slot for one look of a follow-up, at the pace of all processes together, and returns its time, in ms.
   */
  slot(): Promise<number>;
  /** Sends this token from now on; what is under way keeps its own. One that cannot be used throws a TypeError. */
  useToken(token: string): void;
  /** What the token may still send, as far as this process knows. Calls nothing. */
  budgetLeft(): Left;
  /** What the answers so far said beside their content. */
  seen(): Seen;
  /** Sends nothing more, and waits for the requests under way. */
  close(): Promise<void>;
}

const usual = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: async (ms: number): Promise<void> => sleep(ms),
  attempts: 3,
  patienceMs: 30_000,
  timeouts: { connectMs: 5_000, answerMs: 15_000, syncMs: 45_000 },
};

/** One call: its name in the log, the request, and how to read the answer. */
interface Operation<T> {
  name: string;
  request: Request;
  rank: Rank;
  read(reply: Reply): Answer<T>;
  held?: (() => Hold | undefined) | undefined;
}

/** The client of one panel with one token. Throws a TypeError for an unusable URL or token, without repeating it. */
export function createPanel(options: PanelOptions): Panel {
  const { now, random, wait, attempts, patienceMs, timeouts } = { ...usual, ...options };
  const { origin, pathname } = baseUrl(options);
  const seen = createSeen(now);
  const wire = createWire(origin, { ...timeouts, ...defined({ ca: options.ca }), onCertificate: seen.certificate });
  const sessions = createSessions(options.token, { now, wait, shared: options.shared });
  // Debug pages and gateways repeat what they were sent: the token must not get onto a card or into the ledger.
  const { redact } = sessions;

  async function attempt<T>({ name, request, read }: Operation<T>, by: Session, pass: Pass): Promise<Answer<T>> {
    const { token, budget } = by;
    const started = now();
    const outgoing = outgoingOf(request, { token, pathname, timeouts });
    // On a kept connection a change can meet the server's close: it looks sent without having arrived.
    const came = await wire.send(outgoing, request.change);
    seen.came(came);
    report(options, { endpoint: name, status: came.status, ms: now() - started }, came);
    if ('code' in came) {
      budget.leave(pass, { status: came.status });
      return readFailure(came);
    }
    budget.leave(pass, { status: came.status, headers: came.headers, lockedOutFor: lockedOutFor(came) });
    return read(came);
  }

  async function untilAnswered<T>(errand: Operation<T>): Promise<Answer<T>> {
    let last: Answer<T> | undefined;
    /** The last answer after which something may have been sent. */
    let heard: Answer<T> | undefined;
    let patience = patienceMs;
    for (let count = 1; ; count += 1) {
      const arrived = now();
      const { by, pass } = await sessions.enter(errand.rank, patience);
      if ('hold' in pass) return heard ?? last ?? { kind: 'not-sent', reason: pass.hold };
      patience -= now() - arrived;
      const hold = errand.held?.();
      if (hold !== undefined) {
        by.budget.leave(pass, {});
        return heard ?? { kind: 'not-sent', reason: hold };
      }
      last = await attempt(errand, by, pass);
      if (last.kind !== 'not-sent') heard = last;
      if (!mayGoAgain(last, errand.request.change, attempts - count)) return heard ?? last;
      // After a 429 the budget waits, for as long as the panel said.
      if (last.kind !== 'no') await wait(250 * 2 ** (count - 1) * (0.5 + random()));
    }
  }

  async function go<T>(errand: Operation<T>, caller: Caller): Promise<Answer<T> & { again?: number }> {
    const { change } = errand.request;
    if (caller.kind === 'follow-up') {
      if (change) throw new TypeError(`${errand.name}: a follow-up changes nothing`);
      const { by, pass } = await sessions.enterLast();
      return 'hold' in pass
        ? { kind: 'not-sent', reason: pass.hold, again: pass.again }
        : await attempt(errand, by, pass);
    }
    const hold = sessions.current().budget.charge(caller, change);
    return hold === undefined ? await untilAnswered(errand) : { kind: 'not-sent', reason: hold };
  }

  return {
    async call(endpoint, input, caller, held) {
      const request = buildRequest(endpoint, input);
      const read = (reply: Reply): Answer<Data<typeof endpoint>> => readReply(endpoint, reply, redact);
      return await go({ name: endpoint, request, rank: rankOf(caller, request), read, held }, caller);
    },
    async look(parts, caller) {
      const request: Request = { method: 'GET', path: joinPath(parts), body: null, change: false, sync: false };
      return await go({ name: 'look', request, rank: 'read', read: (reply) => readDocument(reply, redact) }, caller);
    },
    slot: () => sessions.current().budget.slot(),
    budgetLeft: () => sessions.current().budget.left(),
    seen: seen.now,
    useToken: sessions.use,
    close: wire.close,
  };
}

function outgoingOf(
  request: Request,
  { token, pathname, timeouts }: Required<Pick<PanelOptions, 'token' | 'timeouts'>> & { pathname: string },
) {
  const { method, path, body, sync } = request;
  const answerMs = sync ? timeouts.syncMs : timeouts.answerMs;
  return { method, path: pathname + path, headers: headers(token, request), body, answerMs };
}

/** Looks come by the hundred a minute: who looks says once that they fail. */
function report(
  { observe, log }: Pick<PanelOptions, 'observe' | 'log'>,
  facts: { endpoint: string; status: number | undefined; ms: number },
  came: Reply | Failure,
): void {
  observe?.requested(facts.endpoint, statusOf(came), facts.ms);
  const isLook = facts.endpoint === 'look';
  if ('code' in came) {
    log?.[isLook ? 'debug' : 'warn']({ ...facts, code: came.code, sent: came.sent }, 'no answer from the panel');
  } else log?.[isLook ? 'debug' : 'info'](facts, 'the panel answered');
}

const rankOf = ({ kind }: Caller, { change }: Request): Rank =>
  kind === 'confirmed' ? 'confirmed' : change ? 'change' : 'read';

const statusOf = (came: Reply | Failure): string => {
  if (came.status !== undefined) return String(came.status);
  return 'sent' in came && came.sent ? 'no-answer' : 'not-sent';
};

/** A read may be repeated. A change only when it cannot have been done: nothing left, or the panel turned it away unread. */
function mayGoAgain(answer: Answer<unknown>, change: boolean, left: number): boolean {
  if (answer.kind === 'yes') return false;
  if (answer.kind === 'no') return answer.reason === 'rate-limited' && (change || left > 0);
  if (left <= 0) return false;
  if (answer.kind === 'not-sent') return answer.reason !== 'certificate' && answer.reason !== 'bot-restarted';
  if (change) return false;
  const { reason, status = 0 } = answer;
  return reason === 'connection-lost' || reason === 'server-error' || (reason === 'not-json' && status >= 500);
}

function headers(token: string, { body }: Request): Record<string, string> {
  const always = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'panelops/0.1' };
  return body === null ? always : { ...always, 'content-type': 'application/json' };
}

function baseUrl({ url }: PanelOptions): URL {
  const normal = normalizePanelUrl(url);
  if ('problem' in normal) throw new TypeError(`the panel's URL ${normal.problem}`);
  return new URL(normal.url);
}
