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
  if (exceeds(text)) return 'too large';
  try {
    const body: unknown = JSON.parse(text);
    return text.length <= maxCheckedForTwins && namesIn(text) !== namesOf(body) ? {} : { body };
  } catch {
    return {};
  }
}

const codes = { quote: 0x22, backslash: 0x5c, comma: 0x2c, open: [0x5b, 0x7b], close: [0x5d, 0x7d] } as const;

/** Looks at each character outside of texts once, and jumps over texts. */
function exceeds(text: string): boolean {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfText(text, at);
    else if (code === codes.open[0] || code === codes.open[1]) {
      depth += 1;
      values += 1;
    } else if (code === codes.close[0] || code === codes.close[1]) depth -= 1;
    else if (code === codes.comma) values += 1;
    if (depth > maxDepth || values > maxValues) return true;
  }
  return false;
}

function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === codes.backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

const namesIn = (text: string): number =>
  [...text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs)].filter(([, colon]) => colon !== undefined).length;

function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, each) => sum + namesOf(each), own);
}
