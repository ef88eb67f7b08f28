import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Log } from '../outcome.ts';
import { type Caller, createBudget, type Pass, type Rank, type SharedBudget } from './budget.ts';
import type { Data, EndpointName, Input } from './endpoints.ts';
import { lockedOutFor, type Reply, readDocument, readFailure, readReply } from './errors.ts';
import { redactor } from './redact.ts';
import { buildRequest, type Request } from './request.ts';
import { joinPath, normalizePanelUrl } from './url.ts';
import { createWire } from './wire.ts';

export type { Learned, SharedBudget } from './budget.ts';

export interface PanelOptions {
  /** Any form that normalizePanelUrl takes. */
  url: string;
  token: string;
  /** PEM of a CA that is trusted beside the usual ones. */
  ca?: string;
  /** Milliseconds. */
  now?: () => number;
  /** From 0 to below 1. */
  random?: () => number;
  /** Must move `now` on by `ms`. */
  wait?: (ms: number) => Promise<void>;
  timeouts?: { connectMs: number; answerMs: number; syncMs: number };
  /** What other processes with the same token learn of its limits; left out: there are none. */
  shared?: SharedBudget;
  log?: Log;
}

/** What a look came to. `again`, in ms: it was a follow-up's, and before then none goes out. */
type Looked = Answer<unknown> & { again?: number };

export interface Panel {
  /**
   * Does one operation. Whatever happens on the wire is in the answer; only an input that does not fit rejects, with a TypeError
   * naming the parameter. Reads are sent again; changes only when nothing was sent or the panel said 429. Follow-ups change nothing:
   * a change of theirs rejects too. `maySend` is asked right before each time that it is sent: it may have waited for half a minute.
   */
  call<E extends EndpointName>(
    endpoint: E,
    input: Input<E>,
    caller: Caller,
    maySend?: () => boolean,
  ): Promise<Answer<Data<E>>>;
  /**
   * Reads a JSON document that is none of the endpoints, `['queue', 5001]` for /queue/5001; its data is what came. For a follow-up it
   * is sent once, and not sent rather than waited for. Rejects with a TypeError when a part does not fit into a path.
   */
  look(parts: readonly (string | number)[], caller: Caller): Promise<Looked>;
  /** When, in ms, the next look of a follow-up may go out, at the pace of all processes together. Each call is another look's turn. */
  slot(): Promise<number>;
  /** Sends nothing more, and waits for the requests under way. */
  close(): Promise<void>;
}

const attempts = 3;
/** For how long one call may wait for the token's budget, altogether. */
const patienceMs = 30_000;
const usualTimeouts = { connectMs: 5_000, answerMs: 15_000, syncMs: 45_000 };

/** One call on its way: what it is called in the log, what is sent, and how the answer is read. */
interface Errand<T> {
  name: string;
  request: Request;
  rank: Rank;
  read(reply: Reply): Answer<T>;
  maySend?: (() => boolean) | undefined;
}

/** The client of one panel with one token. A URL or token that cannot be used throws a TypeError, without repeating it. */
export function createPanel(options: PanelOptions): Panel {
  const { now = Date.now, random = Math.random, wait = (ms) => sleep(ms), timeouts = usualTimeouts, log } = options;
  const { origin, pathname } = baseUrl(options);
  const wire = createWire(origin, timeouts.connectMs, options.ca);
  // Debug pages and gateways repeat what they were sent: the token must not get onto a card or into the ledger.
  const redact = redactor(options.token);
  const budget = createBudget({ now, wait, shared: options.shared });

  async function attempt<T>({ name, request, read }: Errand<T>, pass: Pass): Promise<Answer<T>> {
    const started = now();
    const outgoing = {
      method: request.method,
      path: pathname + request.path,
      headers: headers(options.token, request),
      body: request.body,
      answerMs: request.sync ? timeouts.syncMs : timeouts.answerMs,
    };
    // On a kept connection a change can meet the server's close: it looks sent without having arrived.
    const came = await wire.send(outgoing, request.change);
    const facts = { endpoint: name, status: came.status, ms: now() - started };
    // Looks come by the hundred a minute: who looks says once that they fail.
    const isLook = name === 'look';
    if ('code' in came) {
      budget.leave(pass, { status: came.status });
      log?.[isLook ? 'debug' : 'warn']({ ...facts, code: came.code, sent: came.sent }, 'no answer from the panel');
      return readFailure(came);
    }
    budget.leave(pass, { status: came.status, headers: came.headers, lockedOutFor: lockedOutFor(came) });
    log?.[isLook ? 'debug' : 'info'](facts, 'the panel answered');
    return read(came);
  }

  async function untilAnswered<T>(errand: Errand<T>): Promise<Answer<T>> {
    const { request, rank } = errand;
    const { change } = request;
    let last: Answer<T> | undefined;
    /** The last one after which nobody can say that nothing was sent. */
    let heard: Answer<T> | undefined;
    let patience = patienceMs;
    for (let count = 1; ; count += 1) {
      const arrived = now();
      const pass = await budget.enter(rank, patience);
      if ('hold' in pass) return heard ?? last ?? { kind: 'not-sent', reason: pass.hold };
      patience -= now() - arrived;
      if (errand.maySend?.() === false) {
        budget.leave(pass, {});
        return heard ?? { kind: 'not-sent', reason: 'given-up' };
      }
      last = await attempt(errand, pass);
      if (last.kind !== 'not-sent') heard = last;
      if (!mayGoAgain(last, change, count)) return heard ?? last;
      // After a 429 the budget waits, for as long as the panel said.
      if (last.kind !== 'no') await wait(250 * 2 ** (count - 1) * (0.5 + random()));
    }
  }

  async function go<T>(errand: Errand<T>, caller: Caller): Promise<Answer<T> & { again?: number }> {
    const { change } = errand.request;
    if (caller.kind === 'follow-up') {
      if (change) throw new TypeError(`${errand.name}: a follow-up changes nothing`);
      const pass = await budget.enterLast();
      return 'hold' in pass ? { kind: 'not-sent', reason: pass.hold, again: pass.again } : await attempt(errand, pass);
    }
    const hold = budget.charge(caller, change);
    return hold === undefined ? await untilAnswered(errand) : { kind: 'not-sent', reason: hold };
  }

  return {
    async call(endpoint, input, caller, maySend) {
      const request = buildRequest(endpoint, input);
      const read = (reply: Reply): Answer<Data<typeof endpoint>> => readReply(endpoint, reply, redact);
      return await go({ name: endpoint, request, rank: rankOf(caller, request), read, maySend }, caller);
    },
    async look(parts, caller) {
      const request: Request = { method: 'GET', path: joinPath(parts), body: null, change: false, sync: false };
      return await go({ name: 'look', request, rank: 'read', read: (reply) => readDocument(reply, redact) }, caller);
    },
    slot: budget.slot,
    close: wire.close,
  };
}

const rankOf = ({ kind }: Caller, { change }: Request): Rank =>
  kind === 'confirmed' ? 'confirmed' : change ? 'change' : 'read';

/** A read may be repeated. A change only when it cannot have been done: nothing left, or the panel turned it away unread. */
function mayGoAgain(answer: Answer<unknown>, change: boolean, count: number): boolean {
  if (answer.kind === 'yes') return false;
  if (answer.kind === 'no') return answer.reason === 'rate-limited' && (change || count < attempts);
  if (count >= attempts) return false;
  if (answer.kind === 'not-sent') return answer.reason !== 'certificate' && answer.reason !== 'bot-restarted';
  if (change) return false;
  const { reason, status = 0 } = answer;
  return reason === 'connection-lost' || reason === 'server-error' || (reason === 'not-json' && status >= 500);
}

function headers(token: string, { body }: Request): Record<string, string> {
  const always = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'panelops/0.1' };
  return body === null ? always : { ...always, 'content-type': 'application/json' };
}

function baseUrl({ url, token }: PanelOptions): URL {
  const normal = normalizePanelUrl(url);
  if ('problem' in normal) throw new TypeError(`the panel's URL ${normal.problem}`);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("the panel's token must be one word of plain ASCII");
  return new URL(normal.url);
}
