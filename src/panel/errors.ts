import { isBlank } from '../blank.ts';
import { defined } from '../defined.ts';
import type { Answer, Loose } from '../outcome.ts';
import type { Hold, Rejection } from '../reasons.ts';
import { type Data, type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
import { readLoosely } from './loose.ts';
import { cutText, readable } from './readable.ts';

type Understood<T> = Pick<Extract<Answer<T>, { kind: 'yes' }>, 'data' | 'loose'>;

/** An HTTP answer. `text` is the whole body. */
export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/**
 * Why there is no complete answer. `sent`: whether bytes of the request may have left. `status` is known if only the
 * body failed.
 */
export interface Failure {
  code: string;
  sent: boolean;
  status?: number;
}

/** The code of the client's own timeout. */
export const answerTimeout = 'ANSWER_TIMEOUT';

const byStatus: Readonly<Record<number, Rejection>> = {
  401: 'token-refused',
  403: 'token-lacks-permission',
  404: 'not-found',
  409: 'conflict',
  422: 'validation',
};
const byEndpoint: Partial<Record<EndpointName, Readonly<Record<number, Rejection>>>> = {
  backupRestore: { 404: 'no-backups', 409: 'protected' },
  vlanSet: { 404: 'vlan-not-found' },
};
const busy: Readonly<Record<number, Rejection>> = { 423: 'tasks-pending', 503: 'maintenance' };

/** Removes the panel's token from a text. */
export type Redact = (text: string) => string;

/** Classifies the answer of an endpoint. Any 2xx is a yes, even if its body cannot be read. */
export function readReply<E extends EndpointName>(endpoint: E, reply: Reply, redact: Redact): Answer<Data<E>> {
  return judge(reply, redact, (body) => read(endpoint, body, redact), byEndpoint[endpoint]);
}

/** Classifies the answer of a read outside the endpoints. Its data is the JSON value, with the token removed. */
export function readDocument(reply: Reply, redact: Redact): Answer<unknown> {
  return judge(reply, redact, (body) => ({ data: readable(body, redact) }), {});
}

function judge<T>(
  reply: Reply,
  redact: Redact,
  read: (body: unknown) => Understood<T>,
  special: Readonly<Record<number, Rejection>> = {},
): Answer<T> {
  const { status } = reply;
  const body = parse(reply.text);
  if (status >= 300 && status < 400) return { kind: 'unknown', reason: 'redirected', status };
  if (isPage(reply, body)) return { kind: 'unknown', reason: 'not-json', status };
  if (status < 300) return { kind: 'yes', ...read(body) };
  const reason = special[status] ?? rejection(status, body);
  if (reason === undefined) return { kind: 'unknown', reason: 'server-error', status };
  const said = message(body, reply.text, redact);
  return said === undefined ? { kind: 'no', reason, status } : { kind: 'no', reason, status, said };
}

/** Classifies a failure: `not-sent` if nothing left this machine, `unknown` if it may have arrived. */
export function readFailure({ code, sent, status }: Failure): Answer<never> {
  if (!sent) return { kind: 'not-sent', reason: hold(code) };
  const reason =
    code === answerTimeout
      ? 'timeout'
      : code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
        ? 'answer-too-large'
        : 'connection-lost';
  return status === undefined ? { kind: 'unknown', reason } : { kind: 'unknown', reason, status };
}

/** How long, in seconds, the panel locks this address out after failed authentications. Undefined: it does not. */
export function lockedOutFor({ status, text }: Reply): number | undefined {
  return status === 429 ? retryAfterSeconds(parse(text)) : undefined;
}

function read<E extends EndpointName>(endpoint: E, body: unknown, redact: Redact): Understood<Data<E>> {
  const { answer }: Endpoint = endpoints[endpoint];
  const parsed = answer.safeParse(body);
  // The row's schema produced these values, and Data<E> is that schema's output, which the common row type cannot
  // express. `readable` changes only texts.
  if (parsed.success) return { data: readable(parsed.data, redact) as Data<E> | undefined };
  // The same schema, reading what fits.
  const loose = readLoosely(endpoint, body, redact) as Loose<Data<E>> | undefined;
  return { data: undefined, ...defined({ loose }) };
}

/** Undefined: not a rejection by the panel, but a failure. */
function rejection(status: number, body: unknown): Rejection | undefined {
  const known = byStatus[status];
  if (known !== undefined) return known;
  if (status === 429) return retryAfterSeconds(body) === undefined ? 'rate-limited' : 'authentication-limited';
  // Proxies answer 423 and 503 too. Only the panel's own body proves that nothing was done.
  if (status in busy) return isRecord(body) && ('errors' in body || 'msg' in body) ? busy[status] : undefined;
  // 408 and 499 come from proxies, which may have forwarded the request.
  return status < 500 && status !== 408 && status !== 499 ? 'refused' : undefined;
}

function hold(code: string): Hold {
  if (/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/.test(code)) return 'name-not-resolved';
  if (/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/.test(code))
    return 'connect-timeout';
  if (/^(?:UND_ERR_CLOSED|UND_ERR_DESTROYED)$/.test(code)) return 'bot-restarted';
  // OpenSSL's verification codes, host name mismatches, and servers that speak no TLS.
  if (
    /CERT|CRL|SIGNATURE|^ERR_(?:TLS|SSL)_|^EPROTO$|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/.test(code)
  ) {
    return 'certificate';
  }
  return 'connection-refused';
}

/** PHP labels plain text as HTML by default, and some documented errors are plain text. Only an error page has tags. */
function isPage({ status, headers, text }: Reply, body: unknown): boolean {
  const start = text.trimStart();
  if (start.startsWith('<')) return true;
  if (start === '' || body !== undefined || !String(headers['content-type']).startsWith('text/html')) return false;
  return status < 400 || start.includes('<');
}

const maxSentences = 100;

/** The panel's message in one short line, from any of its error formats. Undefined if there is none. */
function message(body: unknown, text: string, redact: Redact): string | undefined {
  const whole = sentences(body, text)
    .slice(0, maxSentences)
    .map((sentence) => cutText(sentence.trim()).replace(/\s+/g, ' '))
    .filter((sentence) => !isBlank(sentence))
    .join('; ');
  if (whole === '') return undefined;
  const said = redact(cutText(whole));
  return said.length <= 300 ? said : `${said.slice(0, 299).replace(/\p{Surrogate}$/u, '')}…`;
}

function sentences(body: unknown, text: string): string[] {
  if (typeof body === 'string') return [body];
  if (Array.isArray(body)) return strings(body);
  if (!isRecord(body)) return [text];
  const { errors, msg, message } = body;
  const named = isRecord(errors)
    ? Object.entries(errors).flatMap(([field, said]) => strings(said).map((one) => `${field}: ${one}`))
    : strings(errors);
  return named.length > 0 ? named : strings(msg ?? message);
}

function strings(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
}

function retryAfterSeconds(body: unknown): number | undefined {
  const seconds = isRecord(body) ? body['retry_after_seconds'] : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value, or undefined for anything else. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}
