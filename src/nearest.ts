/**
 * " The nearest is read." for raed: the first of the known words that takes the fewest letters added, removed or changed
 * to get to. Empty if more than half of the letters differ.
 */
export function nearestIs(word: string, known: readonly string[]): string {
  const [first] = known.map((each) => ({ each, steps: distance(word, each) })).sort((a, b) => a.steps - b.steps);
  return first === undefined || first.steps > Math.max(word.length, first.each.length) / 2
    ? ''
    : ` The nearest is ${first.each}.`;
}

/** How many letters must be added, removed or changed to get from one to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
