import { z } from 'zod';
import { isRecord } from '../json.ts';
import type { CallResult, Loose, Unexpected } from '../outcome.ts';
import type { NotSentReason } from '../reasons.ts';
import { isBlank } from '../text.ts';
import { cutText, readable } from './body.ts';
import { type Data, type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
import {
  answerTimeout,
  type Failure,
  givenUp,
  type NotYes,
  type Reply,
  refusalOf,
  strangerIn,
  tooLarge,
  undecoded,
} from './reply.ts';
import { claimOf, claimOfText, saysNo, sentencesIn } from './says.ts';
import { answers, answersOf, type Parts } from './schemas.ts';

type Redact = (text: string) => string;

/**
 * Classifies the answer of an endpoint. Any 2xx may be a yes: with the body that the documentation shows; where it shows
 * none, with none or with one that does not speak of anything but a success.
 */
export function readReply<E extends EndpointName>(endpoint: E, reply: Reply, redact: Redact): CallResult<Data<E>> {
  const { status, body } = reply;
  const no = strangerIn(reply) ?? (status >= 400 ? refusalOf(endpoint, reply) : undefined);
  if (no !== undefined) return withWords(no, reply, redact);
  const { answer, method }: Endpoint = endpoints[endpoint];
  const isChange = method !== 'GET';
  if (isChange ? isDoubtful(reply, answer === answers.notShown) : saysNo(body))
    return withWords({ kind: 'unknown', reason: 'no-success', status }, reply, redact);
  const parsed = isBroken(reply) ? undefined : answer.safeParse(body);
  if (parsed?.success) {
    const data = readable(parsed.data, redact);
    if (data === undefined && parsed.data !== undefined) return { kind: 'unknown', reason: 'answer-too-large', status };
    // The row's schema produced these values, and Data<E> is that schema's output, which the common row type cannot
    // express. `readable` changes only texts.
    return { kind: 'yes', data: data as Data<E> };
  }
  const loose = readLoosely(endpoint, body, redact);
  const doubt = { kind: 'unknown', reason: 'not-understood', status, loose } as const;
  return isChange ? withWords(doubt, reply, redact) : doubt;
}

/** Classifies the answer of a read outside the endpoints. Its data is the JSON value, with the token removed. */
export function readDocument(reply: Reply, redact: Redact): CallResult<unknown> {
  const { status, body } = reply;
  const no = strangerIn(reply) ?? (status >= 400 ? refusalOf('look', reply) : undefined);
  if (no !== undefined) return withWords(no, reply, redact);
  const data = readable(body, redact);
  return data === undefined ? { kind: 'unknown', reason: 'not-understood', status } : { kind: 'yes', data };
}

/** Classifies a failure: `not-sent` if nothing left this machine, `unknown` if it may have arrived. */
export function readFailure({ code, sent, status }: Failure): CallResult<never> {
  if (!sent) return { kind: 'not-sent', reason: hold(code) };
  return { kind: 'unknown', reason: doubts[code] ?? 'connection-lost', status };
}

const doubts: Readonly<Record<string, Extract<NotYes, { kind: 'unknown' }>['reason']>> = {
  [answerTimeout]: 'timeout',
  [tooLarge]: 'answer-too-large',
  [undecoded]: 'not-understood',
};

/** Whether what came after a change with a 2xx speaks of a failure; or, if no form is shown, of anything but a success. */
function isDoubtful(reply: Reply, anyForm: boolean): boolean {
  if (isBroken(reply)) return false;
  const claim = reply.body === undefined ? claimOfText(reply.text) : claimOf(reply.body);
  return claim === 'no' || (anyForm && claim === 'words');
}

/** Neither JSON nor a sentence: the half of a JSON, bytes, a script. */
const isBroken = ({ text, body }: Reply): boolean =>
  body === undefined && /^\s*(?:[{"]|\[\s*[[{"\d]|\)\]\})|(?:[\0\ufffd].*){3}/s.test(text);

function hold(code: string): NotSentReason {
  if (code === givenUp) return 'given-up';
  if (/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/.test(code)) return 'name-not-resolved';
  if (/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/.test(code))
    return 'connect-timeout';
  if (/^(?:UND_ERR_CLOSED|UND_ERR_DESTROYED)$/.test(code)) return 'bot-restarted';
  if (code.startsWith('PROXY_')) return 'proxy-failed';
  // OpenSSL's verification codes, host name mismatches, and servers that speak no TLS.
  if (
    /CERT|CRL|SIGNATURE|^ERR_(?:TLS|SSL)_|^EPROTO$|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/.test(code)
  ) {
    return 'certificate';
  }
  return 'connection-refused';
}

const maxSentences = 100;

/** The result with what the answer says in one short line, from any form of an error; without, if it says nothing. */
function withWords<A extends NotYes>(result: A, reply: Reply, redact: Redact): A {
  const pageless = result.reason !== 'not-json' && result.reason !== 'redirected' && !isBroken(reply);
  const sentences = !pageless ? [] : reply.body === undefined ? [reply.text] : sentencesIn(reply.body);
  const whole = sentences
    .slice(0, maxSentences)
    .map((sentence) => cutText(sentence.trim()).replace(/\s+/g, ' '))
    .filter((sentence) => !isBlank(sentence) && !sentence.startsWith('<'))
    .join('; ');
  if (whole === '') return result;
  const said = redact(cutText(whole));
  return { ...result, said: said.length <= 300 ? said : `${said.slice(0, 299).replace(/\p{Surrogate}$/u, '')}…` };
}

/** The reads whose answers people are shown. */
const shownReads = ['groups', 'group', 'resources', 'firewall', 'traffic'] as const satisfies readonly EndpointName[];

/** Fields that hold secrets in a real panel's answers, or that are named as if they did. */
const secret = /pass|secret|token|key|auth|credential|cookie|session|private|mail|vnc/i;

/** So many parts that do not fit are no exception: then the answer is shown as it came. */
const maxMisfits = 250;
/** How many values and characters of all of them are shown; a file of more is read by nobody. */
const maxShown = 20_000;

/** What of an answer matches its schema, and the raw rest: for display only. Undefined: there is nothing to show. */
function readLoosely(endpoint: EndpointName, body: unknown, redact: (text: string) => string): Loose | undefined {
  const name = shownReads.find((each) => each === endpoint);
  if (name === undefined) return undefined;
  const unexpected: Unexpected[] = [];
  const shown = (found: readonly Unexpected[]): Unexpected[] =>
    found.map(({ what, value }) => {
      const read = readable(value, redact, maxShown / found.length);
      return { what, value: read === undefined ? '(too large to show)' : withoutSecrets(read) };
    });
  const parsed = answersOf(lenient(unexpected))[name].safeParse(body);
  if (parsed.success && unexpected.length < maxMisfits)
    return { data: readable(parsed.data, redact), unexpected: shown(unexpected) };
  const content = contentOf(body);
  return isRecord(content) && Object.keys(content).length > 0
    ? { unexpected: shown([{ what: 'answer', value: content }]) }
    : undefined;
}

/** Most answers wrap their content in `data`; of a page it is one member among others. */
function contentOf(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { data, ...beside } = body;
  return isRecord(data) || Object.keys(beside).length === 0 ? data : body;
}

/** Lists and parts that collect what does not match instead of failing. */
const lenient = (misfits: Unexpected[]): Parts => ({
  list: (row, what) =>
    z.array(z.unknown()).transform((rows) =>
      rows.flatMap((value) => {
        const before = misfits.length;
        if (before >= maxMisfits) return [];
        const parsed = row.safeParse(value);
        if (parsed.success) return [parsed.data];
        // Show the whole row instead of the parts of it that did not match.
        misfits.splice(before, misfits.length, { what, value });
        return [];
      }),
    ),
  part: (schema, what) =>
    z
      .unknown()
      .optional()
      .transform((value) => {
        const parsed = schema.nullable().safeParse(value);
        if (parsed.success) return parsed.data;
        if (value !== undefined) misfits.push({ what, value });
        return null;
      }),
});

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, secret.test(name) ? '(hidden)' : withoutSecrets(each)]),
  );
}
