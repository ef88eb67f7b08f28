import { mayDecode } from './redact.ts';

/** The maximum length of one text; more than a card or the ledger uses. */
const maxTextLength = 1000;
/** The maximum number of values in an answer and of characters in its texts; far more than is ever shown. */
const maxValues = 200_000;
/** A text with possible escapes is searched once per layer; usually there are fewer. */
const layers = 5;

/** The beginning of a text. */
export const cutText = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1).replace(/\p{Surrogate}$/u, '')}…`;

/**
 * A JSON value, changed in place: without the token, and with long texts cut. Undefined if it is too large to be searched. How
 * deep it is, and how many values it has, was bounded before it was parsed.
 */
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
