import fc from 'fast-check';
import type { TemplateResult } from 'lit';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../src/sandbox/page/client/page.ts';
import { firstState } from '../../../src/sandbox/page/client/state.ts';
import { formatted } from '../../../src/sandbox/page/client/text.ts';

const page: Page = {
  state: firstState('alice', 'ops', 'dark'),
  set: () => undefined,
  act: () => Promise.resolve(),
  focus: () => undefined,
};

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === 'object' && value !== null && 'strings' in value && 'values' in value;

/** What becomes markup, and what is put into it as text or attribute. */
function partsOf(value: unknown): { markup: string[]; put: unknown[] } {
  if (Array.isArray(value)) {
    const all = value.map(partsOf);
    return { markup: all.flatMap((one) => one.markup), put: all.flatMap((one) => one.put) };
  }
  if (!isTemplate(value)) return { markup: [], put: [value] };
  const inner = partsOf(value.values);
  return { markup: [...value.strings, ...inner.markup], put: inner.put };
}

const id = '1300000000000000001';
const link = `https://discord.com/channels/${id}/${id}/${id}`;
const everything = `**a** *b* __c__ ~~d~~ \`e\` \`\`\`f\`\`\` <t:1:R> <@${id}> <@&${id}> <#${id}> </g:${id}> [h](${link}) [i](https://example.com)\n-# j`;

describe('a text from outside', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>',
        '<img src=x onerror=alert(1)>',
        '"><b>',
        '${',
        '<!--',
        '</span>',
        "' onclick='x",
        '&lt;',
      ),
      fc.constantFrom(...everything.split(' ')),
    ),
  );

  it('adds no markup to the page', () => {
    const own = new Set(partsOf(formatted(page, everything)).markup);
    fc.assert(
      fc.property(pieces, (parts) => {
        const { markup, put } = partsOf(formatted(page, parts.join(' ')));
        expect(markup.filter((one) => !own.has(one))).toEqual([]);
        expect(put.filter((one) => typeof one !== 'string' && typeof one !== 'number')).toEqual([]);
      }),
    );
  });

  it('links only within the page', () => {
    const { put } = partsOf(formatted(page, `[h](${link})`));
    expect(put).toEqual([`#alice/${id}/${id}`, 'h']);
    expect(partsOf(formatted(page, '[i](https://example.com)')).markup.join('')).not.toContain('href');
  });
});
