import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { mayDecode } from './redact.ts';
import { type Failure, type Reply, tooLarge, undecoded } from './reply.ts';

export const maxAnswerBytes = 5 * 1024 * 1024;
/** The bot asks for none; a proxy and a panel may each add one. */
const maxCodings = 3;

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const unzip: Unpack = promisify(zlib.gunzip);
const inflate: Unpack = promisify(zlib.inflate);
const inflateRaw: Unpack = promisify(zlib.inflateRaw);
const brotli: Unpack = promisify(zlib.brotliDecompress);

/** Some say that they pack, and do not. */
const gunzip: Unpack = async (bytes, options) =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? unzip(bytes, options) : bytes;

/** A zlib header: method 8, and both bytes a multiple of 31. Some send deflate without it. */
const isZlib = (bytes: Buffer): boolean => ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, options) => (bytes.length > 1 && isZlib(bytes) ? inflate : inflateRaw)(bytes, options),
  br: brotli,
};

/** The answer whose body this is. */
export async function readBody(started: Pick<Reply, 'status' | 'headers'>, bytes: Buffer): Promise<Reply | Failure> {
  const { status } = started;
  const decoded = await decodeBody(bytes, started.headers);
  if ('code' in decoded) return { ...decoded, sent: true, status };
  const parsed = parseJson(decoded.text);
  return parsed === 'too large' ? { code: tooLarge, sent: true, status } : { ...started, ...decoded, ...parsed };
}

/** The text of an answer's body, unpacked and in its charset; or a code, if it cannot be read or is too large. */
async function decodeBody(bytes: Buffer, headers: Reply['headers']): Promise<{ text: string } | { code: string }> {
  const codings = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');
  if (codings.length > maxCodings) return { code: undecoded };
  let plain = bytes;
  try {
    // Some pack without saying so.
    for (const coding of [...codings.reverse(), 'gzip']) {
      const unpack = unpackers[coding];
      if (unpack === undefined) return { code: undecoded };
      if (plain.length > 0) plain = await unpack(plain, { maxOutputLength: maxAnswerBytes });
    }
    return { text: textOf(plain, headers['content-type']) };
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { code: isTooLarge ? tooLarge : undecoded };
  }
}

/** By its byte order mark, else by its label, else as UTF-8, which JSON always is. */
function textOf(bytes: Buffer, contentType: Reply['headers'][string]): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const [, label = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(contentType)) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Far more than any answer needs that people look at, and little enough to be handled at once. */
const maxValues = 50_000;
const maxDepth = 20;
/** Only what changes something is judged by a single member, and such answers are short. */
const maxCheckedForTwins = 65_536;

/**
 * Reads JSON. Refuses, before it is parsed, what is nested too deep or has too many values, so that nothing behind this
 * has to bound its recursion; and a name that one object has twice: which of the two counts is anybody's guess.
 */
export function parseJson(text: string): { body?: unknown } | 'too large' {
  const names = namesIn(text);
  if (names === undefined) return 'too large';
  try {
    const body: unknown = JSON.parse(text);
    return text.length <= maxCheckedForTwins && names !== namesOf(body) ? {} : { body };
  } catch {
    return {};
  }
}

const codes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  open: [0x5b, 0x7b],
  close: [0x5d, 0x7d],
} as const;

/** How many names it has: each has a colon. Looks at each character outside of texts once. Undefined: it is too large. */
function namesIn(text: string): number | undefined {
  let [depth, values, names] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfText(text, at);
    else if (code === codes.open[0] || code === codes.open[1]) {
      depth += 1;
      values += 1;
    } else if (code === codes.close[0] || code === codes.close[1]) depth -= 1;
    else if (code === codes.comma) values += 1;
    else if (code === codes.colon) names += 1;
    if (depth > maxDepth || values > maxValues) return undefined;
  }
  return names;
}

function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === codes.backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, each) => sum + namesOf(each), own);
}

/** The maximum length of one text; more than a card or the ledger uses. */
const maxTextLength = 1000;
/** The most values and characters of texts that are searched for the token; far more than is ever shown. */
const mostReadable = 200_000;
/** A text with possible escapes is searched once per layer; usually there are fewer. */
const layers = 5;

/** The beginning of a text. */
export const cutText = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1).replace(/\p{Surrogate}$/u, '')}…`;

/**
 * A JSON value, changed in place: without the token, and with long texts cut. Undefined if it is too large to be searched. How
 * deep it is, and how many values it has, was bounded before it was parsed.
 */
export function readable(value: unknown, redact: (text: string) => string, most = mostReadable): unknown {
  const known = new Map<string, string>();
  let left = most;
  const text = (raw: string): string => {
    const cut = cutText(raw);
    const before = known.get(cut);
    if (before !== undefined) return before;
    left -= mayDecode(cut) ? cut.length * layers : cut.length;
    if (left < 0) throw new TooLarge();
    const redacted = redact(cut);
    known.set(cut, redacted);
    return redacted;
  };
  const walk = (each: unknown): unknown => {
    left -= 1;
    if (left < 0) throw new TooLarge();
    if (typeof each === 'string') return text(each);
    if (typeof each !== 'object' || each === null) return each;
    for (const key of Object.keys(each)) {
      const before: unknown = Reflect.get(each, key);
      const [name, item] = [Array.isArray(each) ? key : text(key), walk(before)];
      if (name !== key || item !== before) replace(each, key, name, item);
    }
    return each;
  };
  try {
    return walk(value);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** Also of a member `__proto__`, which an assignment would take for something else. */
function replace(of: object, key: string, name: string, value: unknown): void {
  if (name !== key) Reflect.deleteProperty(of, key);
  Object.defineProperty(of, name, { value, configurable: true, enumerable: true, writable: true });
}

class TooLarge extends Error {}
