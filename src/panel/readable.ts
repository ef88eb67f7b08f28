import { mayDecode } from './escapes.ts';

/** More than a card or the ledger keeps of one text, in characters. */
const longestText = 1000;
/** What an answer may have of values and, where they differ, of characters in its texts; far more than is ever shown of one. */
const most = 200_000;
/** A text that may be escaped is looked through again for each layer of it: usually fewer. */
const layers = 5;
const deepest = 20;

/** The beginning of a text. */
export const cutText = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).replace(/\p{Surrogate}$/u, '')}…`;

/**
 * A JSON value without the token, with long texts cut. Undefined where it has more than anybody reads: looking through all of it would
 * hold everybody else up.
 */
export function readable(value: unknown, redact: (text: string) => string): unknown {
  const known = new Map<string, string>();
  let left = most;
  const text = (raw: string): string => {
    const cut = cutText(raw);
    const before = known.get(cut);
    if (before !== undefined) return before;
    left -= mayDecode(cut) ? cut.length * layers : cut.length;
    if (left < 0) throw new TooMuch();
    const redacted = redact(cut);
    known.set(cut, redacted);
    return redacted;
  };
  const walk = (each: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > deepest) throw new TooMuch();
    if (typeof each === 'string') return text(each);
    if (typeof each !== 'object' || each === null) return each;
    const size = Array.isArray(each) ? each.length : Object.keys(each).length;
    if (size > left) throw new TooMuch();
    if (Array.isArray(each)) return each.map((item) => walk(item, depth + 1));
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [text(key), walk(item, depth + 1)]));
  };
  try {
    return walk(value, 0);
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

class TooMuch extends Error {}
