/** " The nearest is read." for raed: the fewest letters apart. Empty if more than half of the letters differ. */
export function nearestIs(word: string, known: readonly string[]): string {
  const [first] = known.map((each) => ({ each, steps: distance(word, each) })).sort((a, b) => a.steps - b.steps);
  return first === undefined || first.steps > Math.max(word.length, first.each.length) / 2
    ? ''
    : ` The nearest is ${first.each}.`;
}

/** A short word with another letter in it is another word. */
const slipsIn = (word: string): number => (word.length <= 5 ? 1 : 2);

/** Whether one word may be a typo of the other: one letter of a short word, two of a long one. */
export function isTypoOf(word: string, meant: string, most = slipsIn(word)): boolean {
  return Math.abs(word.length - meant.length) <= most && mayBeNear(word, meant, most) && distance(word, meant) <= most;
}

/** Each slip brings in one letter at most and takes one away. Told in a moment, of a hundred thousand names. */
function mayBeNear(word: string, meant: string, most: number): boolean {
  const [ours, theirs] = [lettersIn(word), lettersIn(meant)];
  return bitsIn(ours & ~theirs) <= most && bitsIn(theirs & ~ours) <= most;
}

/** A bit for each letter; some share one. */
function lettersIn(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(letters: number): number {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** "a, b or c" */
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** " Did you mean `web-1`?" Empty where nothing is near. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${either.format(names.map((name) => `\`${name}\``))}?`;

/** How many letters must be added, removed, changed or swapped with the next to get from one to the other. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Characters that draw nothing although Unicode calls them letters or symbols: an empty Braille cell, a null note, two blank hieroglyphs. */
const drawnBlank = '\\u2800\\u{1D159}\\u{13441}\\u{13442}';

const nothing = new RegExp(`^[\\p{White_Space}\\p{C}\\p{Default_Ignorable_Code_Point}\\p{M}${drawnBlank}]*$`, 'u');

/** Whether people see nothing of a text: no required text may be so. A mark needs a letter to stand on. */
export const isBlank = (text: string): boolean => nothing.test(text);

const unseen = new RegExp(
  `(?![ \\t\\r\\n])[\\p{White_Space}\\p{C}\\p{Default_Ignorable_Code_Point}${drawnBlank}]`,
  'gu',
);

/** Where the first character is that nobody sees or types: zero-width, a no-break space, a mark of direction. -1: nowhere. */
export const firstUnseen = (text: string): number => text.search(unseen);

/** Without these; a space of another kind becomes one. */
export const withoutUnseen = (text: string): string =>
  text.replace(unseen, (each) => (/\p{White_Space}/u.test(each) ? ' ' : ''));
