import { type Markup, oneLine, trusted } from './card.ts';
import { isRecord } from './json.ts';

/** So many characters of code stand on a line of any phone. */
export const codeWidth = 30;

/** Lines from outside as a code block: no markup, mention or link survives. Spaces at the beginning stay. */
export const codeBlock = (lines: readonly string[]): Markup => trusted(`\`\`\`\n${lines.map(safe).join('\n')}\n\`\`\``);

function safe(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return `${indent}${oneLine(line.replaceAll('`', 'ˋ'))}`;
}

/** A record as it came, field by field: `port=22` is shorter than JSON on a phone. */
export function fieldsOf(record: unknown): string[] {
  if (!isRecord(record)) return [JSON.stringify(record) ?? ''];
  return Object.entries(record).map(([name, value]) => `${name}=${isPlain(value) ? value : JSON.stringify(value)}`);
}

const isPlain = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/*-]+$/.test(value);

/** Pieces on lines of at most `codeWidth` characters, each beginning with `indent`. A longer piece is not broken. */
export function wrapped(pieces: readonly string[], indent = ''): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= codeWidth) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(`${indent}${piece}`);
  }
  return lines;
}
