/** The known word that a mistyped one stands for. Imports nothing, because the page in the browser uses it, too. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const most = typed.length <= 5 ? 1 : 2;
  const [first] = known
    .map((each) => ({ each, steps: distance(typed, each.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps);
  return first?.each;
}

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
