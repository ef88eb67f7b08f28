import { describe, expect, it } from 'vitest';
import { documents, proseOf } from '../helpers/docs/documents.ts';

/** Words that the design replaces, as it lists them. */
const replaced =
  /\b(corridor|anew|told of|fell silent|falls silent|at rest|loose|owed|doubted|the desk|in hand|last words)\b/i;

/** Long enough that nobody writes it twice by chance. */
const leastLetters = 45;

/** The sentences of a document, each on one line, without tables, headings and marks. */
function sentencesOf(text: string): string[] {
  const paragraphs = proseOf(text)
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .filter((paragraph) => !/^\s*[|#<]/.test(paragraph));
  return paragraphs
    .flatMap((paragraph) =>
      paragraph
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?:]) /),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= leastLetters);
}

/** Generated: it says the same of commands that do the same, in the words that they show in Discord. */
const generated = 'docs/commands.md';
const written = documents.filter(({ path }) => path !== generated);

describe('the documents', () => {
  it('say no sentence twice', () => {
    const seen = new Map<string, string[]>();
    for (const { path, text } of written)
      for (const sentence of sentencesOf(text)) seen.set(sentence, [...(seen.get(sentence) ?? []), path]);
    expect(seen.size).toBeGreaterThan(100);
    expect([...seen].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  it('use the words of the field', () => {
    const found = written.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (replaced.test(line) ? [`${path}:${at + 1}: ${line}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
