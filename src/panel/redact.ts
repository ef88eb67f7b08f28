/** This many consecutive characters of a token are no coincidence. */
const pieceLength = 8;
const placeholder = '(token)';

type Span = [number, number];

/** The pieces to hide, all of one length, and the pairs of characters that occur in them. */
interface Secrets {
  shortest: number;
  pieces: ReadonlySet<string>;
  pairs: Uint8Array;
}

/**
 * Removes a token from foreign text, and any eight consecutive characters of it: plain, in base64 and in hex, with any
 * nesting of escapes, in upper or lower case, and with any separators that a token cannot contain, such as spaces, line
 * breaks and invisible characters. Takes linear time.
 */
export function redactor(token: string): (text: string) => string {
  const secrets = secretsOf(token);
  return (text) => {
    if (text.length < secrets.shortest) return text;
    // Most text has nothing to decode and nothing to hide.
    if (!mayDecode(text) && spansIn(text, secrets).length === 0) return text;
    const spans: Span[] = [];
    for (const { text: layer, from } of layersOf(text))
      for (const [first, last] of spansIn(layer, secrets)) spans.push([from[first] ?? 0, from[last + 1] ?? 0]);
    return replaced(text, merged(spans));
  };
}

/** How many tokens to redact. A bot that runs for years gets many, and each costs time with every answer. */
const mostTokens = 8;

/** Removes the token in use and those before it, because an answer to an earlier one may come late. */
export function redactors(first: string) {
  const known = new Map([[first, redactor(first)]]);
  return {
    redact: (text: string): string => [...known.values()].reduce((rest, redact) => redact(rest), text),
    add(token: string): void {
      known.delete(token);
      known.set(token, redactor(token));
      for (const old of [...known.keys()].slice(0, -mostTokens)) known.delete(old);
    },
  };
}

function secretsOf(token: string): Secrets {
  const shortest = Math.min(pieceLength, token.length);
  const bytes = Buffer.from(token);
  // The offset within three bytes decides its base64 form; neighbouring bytes decide the outer characters.
  const shifted = [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]);
    return [all.toString('base64'), all.toString('base64url')].map((form) => form.slice(before === 0 ? 0 : 4, -4));
  });
  // A token may itself look like escaped text.
  const plain = [...layersOf(token)].map(({ text }) => text);
  const forms = [...plain, ...shifted, bytes.toString('hex')].map(folded);
  const pairs = new Uint8Array(128 * 128);
  for (const form of forms)
    for (let at = 1; at < form.length; at += 1) pairs[pair(form.charCodeAt(at - 1), form.charCodeAt(at))] = 1;
  const pieces = forms.flatMap((form) =>
    Array.from({ length: Math.max(0, form.length - shortest + 1) }, (_, at) => form.slice(at, at + shortest)),
  );
  return { shortest, pieces: new Set(pieces), pairs };
}

const pair = (before: number, code: number): number => before * 128 + code;

/** The normalized code of a character: lower case, not full-width; 0 for characters that no token contains. */
function fold(code: number): number {
  if (code >= 0xff01 && code <= 0xff5e) return fold(code - 0xfee0);
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return code > 0x20 && code < 0x7f ? code : 0;
}

const folded = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => fold(text.charCodeAt(at)))
    .filter((code) => code !== 0)
    .map((code) => String.fromCharCode(code))
    .join('');

/** The first and last character of each match. */
function spansIn(text: string, { shortest, pieces, pairs }: Secrets): Span[] {
  const found: Span[] = [];
  let [before, run] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = fold(text.charCodeAt(at));
    if (code === 0) continue;
    // Skip text that cannot be part of a token, which is most of it.
    run = pairs[pair(before, code)] === 1 ? run + 1 : 1;
    before = code;
    if (run < shortest) continue;
    const [piece, first] = lastOf(text, at, shortest);
    if (pieces.has(piece)) found.push([first, at]);
  }
  return found;
}

/** The last `length` token characters before `end`, and where they begin. */
function lastOf(text: string, end: number, length: number): [string, number] {
  let piece = '';
  let at = end + 1;
  while (piece.length < length && at > 0) {
    at -= 1;
    const code = fold(text.charCodeAt(at));
    if (code !== 0) piece = String.fromCharCode(code) + piece;
  }
  return [piece, at];
}

function merged(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

function replaced(text: string, spans: readonly Span[]): string {
  const rest: string[] = [];
  let done = 0;
  for (const [from, to] of spans) {
    rest.push(text.slice(done, from), placeholder);
    done = to;
  }
  return [...rest, text.slice(done)].join('');
}

/** A decoded text, and the source position of each of its characters; plus one for the end. */
interface Layer {
  text: string;
  from: Uint32Array;
}

/** The escapes with which debug pages, gateways, mails and JSON write one character. */
const escapes = [
  String.raw`(?:%u|\\u)([\da-f]{4})`, // %u0041, \u0041
  String.raw`(?:[%=]|\\x)([\da-f]{2})`, // %41, =41, \x41
  String.raw`(?:\\[ux]\{|&#x)0*([\da-f]{1,6})[};]?`, // \u{41}, &#x41;
  String.raw`\\([0-7]{1,3})`, // \101
  String.raw`&#0*(\d{1,7});?`, // &#65;
  '&(amp|lt|gt|quot|shy|nbsp);?',
  '&([a-z]{2,31});',
  String.raw`\\[\s\S]`, // \/, \n
  String.raw`=\r?\n`,
];
const escaped = new RegExp(escapes.join('|'), 'gi');

/** HTML entities of characters that a token may contain. */
const named = new Map(
  String.raw`amp& apos' ast* bsol\ colon: comma, commat@ dollar$ equals= excl! gt> hat^ lbrace{ lbrack[ lcub{ lowbar_ lpar( lsqb[ lt< midast* num# percnt% period. plus+ quest? quot" rbrace} rbrack] rcub} rpar) rsqb] semi; sol/ verbar| vert|`
    .split(' ')
    .map((each) => [each.slice(0, -1), each.slice(-1)]),
);
/** Stands for any character that a token cannot contain. */
const nothing = '\0';
/** Enough for a thousand backslashes; nobody reads text with more. */
const maxDepth = 10;

/** The text itself, then each level of decoding until nothing is left to decode. Each level takes linear time. */
function* layersOf(text: string): Generator<Layer> {
  const from = new Uint32Array(text.length + 1);
  for (let at = 0; at < from.length; at += 1) from[at] = at;
  let layer: Layer | undefined = { text, from };
  for (let depth = 0; layer !== undefined && depth <= maxDepth; depth += 1) {
    yield layer;
    layer = decoded(layer);
  }
}

/** Whether the text may contain escapes: each begins with one of these characters. */
export const mayDecode = (text: string): boolean => /[%\\&=]/.test(text);

/** Decodes each escape to one character. Undefined if there is none. */
function decoded({ text, from }: Layer): Layer | undefined {
  if (!mayDecode(text)) return undefined;
  const parts: string[] = [];
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let done = 0;
  const keep = (to: number): void => {
    parts.push(text.slice(done, to));
    starts.set(from.subarray(done, to), length);
    length += to - done;
  };
  for (const match of text.matchAll(escaped)) {
    keep(match.index);
    parts.push(decode(match));
    starts[length] = from[match.index] ?? 0;
    length += 1;
    done = match.index + match[0].length;
  }
  if (done === 0) return undefined;
  keep(text.length);
  starts[length] = from[text.length] ?? 0;
  return { text: parts.join(''), from: starts.subarray(0, length + 1) };
}

function decode([whole, four, two, some, octal, decimal, bare, name]: RegExpMatchArray): string {
  const hex = four ?? two ?? some;
  if (hex !== undefined) return visible(Number.parseInt(hex, 16));
  if (octal !== undefined) return visible(Number.parseInt(octal, 8));
  if (decimal !== undefined) return visible(Number(decimal));
  const known = bare ?? name;
  if (known !== undefined) return named.get(known.toLowerCase()) ?? nothing;
  return /^\\[^abfnrtv\s]$/.test(whole) ? whole.slice(1) : nothing;
}

const visible = (code: number): string => (code > 0x20 && code < 0x7f ? String.fromCharCode(code) : nothing);
