import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenness, codeIn, documentOf, documents, targetsOf } from '../helpers/docs/documents.ts';
import { root } from '../helpers/house.ts';

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
