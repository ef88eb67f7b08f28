import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';

/** The parts of a valid policy, by their keys, with the comments above. What is written in braces comes as JSON. */
export function sectionsOf(text: string): Map<string, string> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const top = document.contents;
  if (!isMap(top)) return new Map();
  if (top.flow === true) {
    const values: Record<string, unknown> = document.toJS();
    return new Map(Object.entries(values).map(([key, value]) => [key, `${key}: ${JSON.stringify(value)}\n`]));
  }
  const rows = text.split('\n');
  const starts = top.items.map(({ key }) => {
    const range = isScalar(key) ? key.range : undefined;
    let row = lines.linePos(range?.[0] ?? 0).line - 1;
    while (row > 0 && rows[row - 1]?.startsWith('#')) row -= 1;
    return { key: String(isScalar(key) ? key.value : key), row };
  });
  return new Map(starts.map(({ key, row }, at) => [key, rows.slice(row, starts[at + 1]?.row).join('\n')]));
}
