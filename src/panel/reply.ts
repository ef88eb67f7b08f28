import { STATUS_CODES } from 'node:http';
import { isRecord } from '../json.ts';
import type { CallResult } from '../outcome.ts';
import type { Rejection } from '../reasons.ts';
import type { EndpointName } from './endpoints.ts';

/** An HTTP answer. `text` is the whole body; `body` its JSON value, or undefined. */
export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  body?: unknown;
}

/** Why there is no complete answer. `sent`: bytes may have left. `status` is known if only the body failed. */
export interface Failure {
  code: string;
  sent: boolean;
  status?: number;
}

/** The codes of the client's own timeout, of its last look before a change is written, and of bodies that it does not take. */
export const answerTimeout = 'ANSWER_TIMEOUT';
export const givenUp = 'GIVEN_UP';
/** undici's code. */
export const tooLarge = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
export const undecoded = 'UNDECODED';

/** What an answer says about the token. Without an answer, it has no status. */
export type TokenAnswer = Partial<Pick<Reply, 'status' | 'headers' | 'body'>>;

/**
 * How long the panel asks to wait, in ms: seconds (also a fraction) or a date in Retry-After, or `retry_after_seconds` in
 * the body, the longest of them. Undefined if none says a time. A date counts by the clock of the answer, if it has one.
 */
function retryAfter({ headers, body }: Pick<Reply, 'headers' | 'body'>, now: number): number | undefined {
  const clock = Date.parse(String(headers['date']));
  const since = Number.isNaN(clock) ? now : clock;
  const told = [headers['retry-after'], lockOutOf(body)].flat();
  const waits = told.flatMap((each) => waitOf(each, since) ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Whether a 429 is a lock-out after failed authentications: only that one has this field. */
export const isLockOut = (body: unknown): boolean => lockOutOf(body) !== undefined;

const lockOutOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'retry_after_seconds' in body ? body.retry_after_seconds : undefined;

function waitOf(told: unknown, since: number): number | undefined {
  const text = String(told ?? '').trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Dates have a month by name; Date.parse would also take "-5" for one.
  const until = /[a-z]{3}.*\d\d:\d\d/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) || until < since ? undefined : until - since;
}

/** The longest pause that a panel can impose, in ms: one odd answer must not silence the bot forever. */
const longest = 15 * 60_000;
const shortest = 1_000;
const minute = 60_000;

/**
 * How long nobody may send after an answer, in ms; undefined if it is not a 429. Each 429 after another waits longer: a
 * panel that names no time, or always a moment, is asked less and less.
 */
export function createPauses(): (answer: TokenAnswer, now: number) => number | undefined {
  let least = shortest;
  return ({ status, headers = {}, body }, now) => {
    if (status !== undefined && status !== 429) least = shortest;
    if (status !== 429) return undefined;
    const asked = retryAfter({ headers, body }, now) ?? (isLockOut(body) ? minute : 0);
    const pause = Math.min(Math.max(asked, least), longest);
    least = Math.min(least * 2, minute);
    return pause;
  };
}

export type NotYes = Exclude<CallResult<never>, { kind: 'yes' }>;

const byStatus: Readonly<Record<number, Rejection>> = {
  401: 'token-refused',
  403: 'token-lacks-permission',
  404: 'not-found',
  409: 'conflict',
  422: 'validation',
  423: 'tasks-pending',
  503: 'maintenance',
};
const byEndpoint: Partial<Record<EndpointName | 'look', Readonly<Record<number, Rejection>>>> = {
  backupRestore: { 404: 'no-backups', 409: 'protected' },
  vlanSet: { 404: 'vlan-not-found' },
};

/** What is no answer of the panel, whatever its status: a firewall's own, a redirect, a page, one part of an answer. */
export function strangerIn(reply: Reply): NotYes | undefined {
  const { status, headers } = reply;
  if (isStopped(reply)) return { kind: 'no', reason: 'refused-before', status };
  if (status >= 300 && status < 400) return { kind: 'unknown', reason: 'redirected', status };
  if (isPage(reply) && status !== 429) return { kind: 'unknown', reason: 'not-json', status };
  // The panel answers in application/json. Those that stand before it have types such as application/problem+json.
  const isOther = /\+json/i.test(String(headers['content-type']));
  if (status === 206 || status === 207 || (isOther && status < 300))
    return { kind: 'unknown', reason: 'not-understood', status };
  return undefined;
}

/** Whether a proxy or firewall says that it let nothing through; not by its status alone: that may be the panel's. */
function isStopped({ status, headers, body }: Reply): boolean {
  if (status === 407 || status === 511) return true;
  // The panel takes a bearer token. Whoever wants a name and a password has not let it through.
  if (status === 401 && /^\s*(?:basic|digest|negotiate|ntlm)\b/i.test(String(headers['www-authenticate']))) return true;
  if ('x-amzn-waf-action' in headers || 'cf-mitigated' in headers) return true;
  return status < 500 && isRecord(body) && body['cloudflare_error'] === true;
}

/** An answer from 400 on. Only one in a form of the panel is the panel's: proxies and firewalls answer JSON, too. */
export function refusalOf(endpoint: EndpointName | 'look', reply: Reply): NotYes {
  const { status } = reply;
  const isOwn = isOwnForm(endpoint, reply);
  if (status === 429 && !isOwn) return { kind: 'no', reason: 'requests-limited', status };
  if (status === 429)
    return { kind: 'no', reason: isLockOut(reply.body) ? 'authentication-limited' : 'rate-limited', status };
  const known = byEndpoint[endpoint]?.[status] ?? byStatus[status];
  if (isOwn && known !== undefined) return { kind: 'no', reason: known, status };
  if (status >= 500) return { kind: 'unknown', reason: 'server-error', status };
  // 408 and 499 tell of a request that was already under way.
  if (isOwn && status !== 408 && status !== 499) return { kind: 'no', reason: 'refused', status };
  return { kind: 'unknown', reason: isOwn ? 'server-error' : 'not-the-panel', status };
}

/** What the panel's framework says by itself, where the panel has no words of its own. */
const framework =
  /^(?:Unauthenticated\.|This action is unauthorized\.|Too Many Attempts\.|The route .+ could not be found\.|The \w+ method is not supported for .+|No query results for model .+)$/;

function isOwnForm(endpoint: EndpointName | 'look', { status, headers, text, body }: Reply): boolean {
  if (/\+json/i.test(String(headers['content-type']))) return false;
  if (isRecord(body)) {
    const { errors, msg, message } = body;
    if (status === 429 && isLockOut(body)) return true;
    return isErrors(errors) || typeof msg === 'string' || (typeof message === 'string' && framework.test(message));
  }
  if (body !== undefined) return false;
  const said = text.trim();
  if (status === 401) return said === '' || said === '401 Unauthorized';
  if (status === 429) return said === '';
  // Its 422 is plain text, and nobody knows the form of its 404 and 409.
  return endpoint === 'backupRestore' && [404, 409, 422].includes(status) && !isStatusText(status, said);
}

/** A list of sentences, or lists of them by field. */
const isErrors = (errors: unknown): boolean =>
  (Array.isArray(errors) || isRecord(errors)) &&
  Object.values(errors).every((said) => !isRecord(said) && (!Array.isArray(said) || !said.some(isRecord)));

/** "404 Not Found", "404 page not found": what a server says that has nothing to say. */
function isStatusText(status: number, text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  return text !== '' && ['', 'page not found', 'default backend', STATUS_CODES[status]?.toLowerCase()].includes(words);
}

/** PHP labels plain text as HTML by default, and some documented errors are plain text. Only an error page has tags. */
function isPage({ status, headers, text, body }: Reply): boolean {
  const start = text.trimStart();
  if (start.startsWith('<')) return true;
  if (start === '' || body !== undefined || !String(headers['content-type']).startsWith('text/html')) return false;
  return status < 400 || start.includes('<');
}
