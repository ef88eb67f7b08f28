/**
 * The outline of a line: its text without what stands in its strings and numbers. Lines with the same outline have the
 * same keys in the same order, and the same types of values, so that what the schema says of one holds for all.
 * Strings with a closed list of values at the top, such as the kind, belong to the outline.
 */
export interface Outline {
  /** Its text, in the first `size` bytes. */
  text: Buffer;
  size: number;
  /** Where each value of the line begins and ends, in order: strings without their quotes, and integers. */
  values: Int32Array;
  /** How many numbers there are in `values`. */
  marks: number;
  /** Whether there is a byte outside ASCII in it. */
  isWide: boolean;
  /** While it is made: how deep it is, which of the levels are lists, by bits, and whether the next string has a closed list. */
  depth: number;
  lists: number;
  isClosed: boolean;
}

const fresh = { size: 0, marks: 0, isWide: false, depth: 0, lists: 0, isClosed: false };

const most = { size: 8_192, marks: 2_048, depth: 30, digits: 15, word: 64 };

export const createOutline = (): Outline => ({
  text: Buffer.alloc(most.size + 4 * most.word),
  values: new Int32Array(most.marks),
  ...fresh,
});

const [quote, backslash, colon, comma, minus, zero, nine] = [34, 92, 58, 44, 45, 48, 57];
const [opening, closing, openList, closeList] = [123, 125, 91, 93];

/** A key's first three bytes and its length. */
const markOf = (name: string): number =>
  (name.length << 24) | (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2);
const closedLists = new Set(['kind', 'step', 'end', 'outcome', 'reason', 'finding', 'follow'].map(markOf));
/** What has a closed list further down. */
const look = markOf('look');

const markAt = (bytes: Buffer, start: number, stop: number): number =>
  ((stop - start) << 24) | ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0);

/** The length of an escape as JSON.stringify writes it; 0: it is none of these. */
function escapeAt(bytes: Buffer, at: number): number {
  const next = String.fromCharCode(bytes[at + 1] ?? 0);
  if ('"\\bfnrt'.includes(next)) return 2;
  return /^\\u00(?:0[0-7be-f]|1[0-9a-f])$/.test(bytes.toString('latin1', at, at + 6)) ? 6 : 0;
}

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

/** The end of an integer as JSON.stringify writes it; 0: it is none. */
function integerEnd(bytes: Buffer, start: number): number {
  const from = bytes[start] === minus ? start + 1 : start;
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at += 1;
  const isSpelledSo = bytes[from] === zero ? at === start + 1 : at > from && at - from <= most.digits;
  const next = bytes[at];
  return isSpelledSo && (next === comma || next === closing || next === closeList) ? at : 0;
}

/**
 * Outlines the line that begins at `from` and ends before `end`, where a line feed stands. False: it has something that
 * only the slow way can judge. Judges strings and numbers, which must be spelled as JSON.stringify does; not the rest.
 */
export function outline(bytes: Buffer, from: number, end: number, into: Outline): boolean {
  // One by one: Object.assign takes as long as the rest.
  into.size = 0;
  into.marks = 0;
  into.isWide = false;
  into.depth = 0;
  into.lists = 0;
  into.isClosed = false;
  let at = from;
  while (at >= from && at < end) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = takeString(bytes, at, into);
    else if (byte === minus || isDigit(byte)) at = takeInteger(bytes, at, into);
    else at = takeMark(byte, at, into);
  }
  return at === end;
}

const tooMuch = -1;

function takeString(bytes: Buffer, quoted: number, into: Outline): number {
  const start = quoted + 1;
  const stop = stringEnd(bytes, start, into);
  if (stop < 0 || into.marks + 2 > most.marks) return tooMuch;
  const isKey = (into.lists & 1) === 0 && bytes[quoted - 1] !== colon;
  if (isKey || into.isClosed) {
    if (stop - start > most.word) return tooMuch;
    copyQuoted(bytes, quoted, stop, into);
  } else {
    into.text[into.size] = quote;
    into.text[into.size + 1] = quote;
    into.size += 2;
  }
  if (!isKey) {
    into.isClosed = false;
    return takeValue(start, stop, stop + 1, into);
  }
  const mark = into.depth === 1 ? markAt(bytes, start, stop) : 0;
  into.isClosed = closedLists.has(mark);
  return mark === look ? tooMuch : stop + 1;
}

function copyQuoted(bytes: Buffer, start: number, stop: number, into: Outline): void {
  const { text } = into;
  let { size } = into;
  for (let at = start; at <= stop; at += 1) {
    text[size] = bytes[at] ?? 0;
    size += 1;
  }
  into.size = size;
}

function takeValue(start: number, stop: number, next: number, into: Outline): number {
  into.values[into.marks] = start;
  into.values[into.marks + 1] = stop;
  into.marks += 2;
  return next;
}

function takeInteger(bytes: Buffer, start: number, into: Outline): number {
  const stop = integerEnd(bytes, start);
  if (stop === 0 || into.marks + 2 > most.marks) return tooMuch;
  into.text[into.size] = zero;
  into.size += 1;
  return takeValue(start, stop, stop, into);
}

function takeMark(byte: number, at: number, into: Outline): number {
  if (byte === opening || byte === openList) {
    into.depth += 1;
    into.lists = (into.lists << 1) | (byte === openList ? 1 : 0);
  } else if (byte === closing || byte === closeList) {
    into.depth -= 1;
    into.lists >>>= 1;
  }
  into.text[into.size] = byte;
  into.size += 1;
  return into.size > most.size || into.depth > most.depth ? tooMuch : at + 1;
}

const isPlain = (byte: number): boolean =>
  (byte > quote && byte < 128 && byte !== backslash) || byte === 32 || byte === 33;

/** Where the closing quote is; -1: something in the string is not as JSON.stringify writes it. */
function stringEnd(bytes: Buffer, start: number, into: Outline): number {
  let at = start;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (isPlain(byte)) at += 1;
    else if (byte === quote) return at;
    else if (byte >= 128) {
      into.isWide = true;
      at += 1;
    } else {
      const length = byte === backslash ? escapeAt(bytes, at) : 0;
      if (length === 0) return tooMuch;
      at += length;
    }
  }
}
