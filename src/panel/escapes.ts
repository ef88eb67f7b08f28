/** A decoded text, and the source position of each of its characters; plus one for the end. */
export interface Layer {
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
export function* layersOf(text: string): Generator<Layer> {
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
