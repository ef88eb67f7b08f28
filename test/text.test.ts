import { describe, expect, it } from 'vitest';
import { typedText } from '../src/card.ts';
import { isBlank } from '../src/text.ts';
import { brokenBy, prepared } from './helpers/commands/typed.ts';

const unseen = {
  'nothing at all': '',
  'spaces, a no-break space and line breaks': ' \u00a0\u2003\u3000\u1680\n\t\u2028',
  'Hangul fillers': '\u3164\u115f\u1160\uffa0',
  'an empty Braille cell': '\u2800',
  'a grapheme joiner and selectors': '\u034f\u{e0100}\ufe0f\u180b',
  'Khmer vowels that are not drawn': '\u17b4\u17b5',
  'a mark without a letter': '\u0301',
  'an enclosing mark without a letter': ' \u20dd',
  'zero-width characters, and marks of direction': '\u200b\u200d\u2060\ufeff\u202e\u2066\u061c\u180e',
  'tags, as in flags': '\u{e0001}\u{e0061}\u{e007f}',
  'control characters': '\u0000\u0007\u001b\u0085',
  'private and unassigned characters, half a character': '\ue000\u{10ffff}\ufdd0\ud800',
  'a null note and blank hieroglyphs': '\u{1d159}\u{13441}\u{13442}',
  'what sets music and shorthand': '\u{1d173}\u{1bca0}',
};

describe.each(Object.entries(unseen))('%s', (_what, text) => {
  it('is nothing to read', () => {
    expect(isBlank(text)).toBe(true);
    expect(typedText(text)).toBe('');
  });

  it('is no reason of a change, and no title, cause or finding', () => {
    expect(prepared('power.restart', { server: 'web-1', reason: text }).reason).toBeUndefined();
    const rule = 'it has no readable text';
    expect(brokenBy('incident.start', { title: text })).toBe(`title: ${rule}`);
    expect(brokenBy('freeze', { reason: text })).toBe(`reason: ${rule}`);
    expect(brokenBy('hold', { server: 'web-1', reason: text })).toBe(`reason: ${rule}`);
    expect(brokenBy('audit.acknowledge', { finding: '12', reason: text })).toBe(`reason: ${rule}`);
  });
});

it.each(['.', 'disk full', 'é', 'नी', '👩‍🚒', '🏴\u{e0067}\u{e007f}', '⠃', '\u3164x', '✔️', '\ufffd'])(
  '%j can be read',
  (text) => {
    expect(isBlank(text)).toBe(false);
    expect(typedText(` ${text} `)).toBe(text);
  },
);

it('What is beyond the longest that is kept does not make it readable', () => {
  expect(typedText(`${'\u2800'.repeat(200)}why`, 200)).toBe('');
});
