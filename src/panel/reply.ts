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
