import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenness, codeIn, documentOf, documents, proseOf, targetsOf } from '../helpers/docs/documents.ts';
import { root, sources } from '../helpers/house.ts';

describe('a document', () => {
  it.each(documents.map(({ path }) => path))('%s links to nothing that is not there', (path) => {
    const document = documentOf(path);
    const broken = targetsOf(document).flatMap((target) => brokenness(document, target) ?? []);
    expect(broken).toEqual([]);
  });

  it('names no file or folder that is not there', () => {
    const named = documents.flatMap(({ path, text }) =>
      codeIn(text)
        .filter((code) => /^(src|test|commands|docs)\/[\w./-]*\w$/.test(code))
        .map((code) => ({ path, code })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ code }) => !existsSync(join(root, code)))).toEqual([]);
  });
});

it('Documents run tests that are there: vitest says nothing of a filter that fits none beside one that fits', () => {
  const tests = sources('test').map(({ path }) => path);
  const named = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/vitest run ([^`\n]+)/g)].flatMap(([, line = '']) =>
      line.split(' ').flatMap((word) => (word.startsWith('test/') ? [{ path, word }] : [])),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ word }) => !tests.some((test) => test.includes(word)))).toEqual([]);
});

describe('README.md', () => {
  it('has at most 110 lines', () => {
    expect(documentOf('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(110);
  });

  it('leads to every page', () => {
    const led = targetsOf(documentOf('README.md'));
    const pages = documents.map(({ path }) => path).filter((path) => !/^README|^docs\/decisions\//.test(path));
    expect(pages.filter((path) => !led.includes(path))).toEqual([]);
    expect(led).toContain('docs/decisions/README.md');
  });

  it('shows the three pictures', () => {
    const led = targetsOf(documentOf('README.md'));
    expect(led.filter((target) => target.endsWith('.png'))).toEqual([
      'docs/dark.png',
      'docs/light.png',
      'docs/phone.png',
    ]);
  });
});

describe('the index of decisions', () => {
  const index = documentOf('docs/decisions/README.md');
  const pages = documents.filter(({ path }) => path.startsWith('docs/decisions/') && path !== index.path);

  it('has each page once, by its title', () => {
    const titles = pages.map(({ path, text }) => `[${text.slice(2, text.indexOf('\n'))}](${path.split('/').at(-1)})`);
    const listed = [...index.text.matchAll(/^- (\[.*?\]\(.*?\))/gm)].map(([, link]) => link);
    expect([...listed].sort()).toEqual(titles.sort());
  });

  it.each(pages.map(({ path }) => path))('%s says context, decision and consequence', (path) => {
    const headings = documentOf(path)
      .text.split('\n')
      .filter((line) => line.startsWith('## '));
    expect(headings).toEqual(['## Context', '## Decision', '## Consequence']);
  });
});

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
