import { mayDecode } from './escapes.ts';

/** The maximum length of one text; more than a card or the ledger uses. */
const maxTextLength = 1000;
/** The maximum number of values in an answer and of characters in its texts; far more than is ever shown. */
const maxValues = 200_000;
/** A text with possible escapes is searched once per layer; usually there are fewer. */
const layers = 5;
const maxDepth = 20;

/** The beginning of a text. */
export const cutText = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1).replace(/\p{Surrogate}$/u, '')}…`;

/** A JSON value without the token and with long texts cut. Undefined if it is too large to be searched. */
export function readable(value: unknown, redact: (text: string) => string, most = maxValues): unknown {
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
  const walk = (each: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > maxDepth) throw new TooLarge();
    if (typeof each === 'string') return text(each);
    if (typeof each !== 'object' || each === null) return each;
    const size = Array.isArray(each) ? each.length : Object.keys(each).length;
    if (size > left) throw new TooLarge();
    if (Array.isArray(each)) return each.map((item) => walk(item, depth + 1));
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [text(key), walk(item, depth + 1)]));
  };
  try {
    return walk(value, 0);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

class TooLarge extends Error {}
