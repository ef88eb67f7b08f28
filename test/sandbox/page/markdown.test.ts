import { describe, expect, it } from 'vitest';
import { type Piece, parse, plain } from '../../../src/sandbox/page/client/markdown.ts';

const id = '1300000000000000001';
const spoken = (text: string): string => plain(parse(text), (kind, which) => `<${kind} ${which}>`);
const text = (words: string): Piece => ({ kind: 'text', text: words });

describe('a text in markdown', () => {
  it.each<[string, Piece[]]>([
    [
      '**bold** and *slanted*',
      [{ kind: 'bold', inner: [text('bold')] }, text(' and '), { kind: 'italic', inner: [text('slanted')] }],
    ],
    [
      '__under__ ~~through~~',
      [{ kind: 'underline', inner: [text('under')] }, text(' '), { kind: 'strike', inner: [text('through')] }],
    ],
    ['`**code**`', [{ kind: 'code', text: '**code**' }]],
    ['``a ` b``', [{ kind: 'code', text: 'a ` b' }]],
    ['```js\nlet a;\n```', [{ kind: 'block', text: 'let a;' }]],
    ['```\na\n```\nb', [{ kind: 'block', text: 'a' }, text('b')]],
    ['**a *b* c**', [{ kind: 'bold', inner: [text('a '), { kind: 'italic', inner: [text('b')] }, text(' c')] }]],
    ['<t:1700000000:R>', [{ kind: 'time', at: 1_700_000_000, style: 'R' }]],
    ['<t:1700000000>', [{ kind: 'time', at: 1_700_000_000, style: 'f' }]],
    [
      `<@${id}><@!${id}><@&${id}><#${id}>`,
      [
        { kind: 'user', id },
        { kind: 'user', id },
        { kind: 'role', id },
        { kind: 'channel', id },
      ],
    ],
    [`</firewall flush:${id}>`, [{ kind: 'command', name: 'firewall flush' }]],
    [
      'a\n-# *small* print\nb',
      [
        text('a\n'),
        { kind: 'small', inner: [{ kind: 'italic', inner: [text('small')] }, text(' print')] },
        text('\nb'),
      ],
    ],
    ['\\*not slanted\\*', [text('*not slanted*')]],
  ])('%j is taken apart', (written, pieces) => {
    expect(parse(written)).toEqual(pieces);
  });

  it('links to messages and channels of Discord, and to nothing else', () => {
    const to = 'https://discord.com/channels/1100000000000000001/1300000000000000001/1400000000000000001';
    expect(parse(`[Its card](${to})`)).toEqual([
      { kind: 'place', label: [text('Its card')], channel: '1300000000000000001', message: '1400000000000000001' },
    ]);
    expect(parse('[its thread](https://discord.com/channels/1100000000000000001/1300000000000000001)')).toEqual([
      { kind: 'place', label: [text('its thread')], channel: '1300000000000000001' },
    ]);
    expect(parse('[Its card](https://example.com/a)')).toEqual([
      { kind: 'address', label: [text('Its card')], url: 'https://example.com/a' },
    ]);
    expect(parse('[x](javascript:alert(1))')).toEqual([text('[x](javascript:alert(1))')]);
    expect(parse(`[x](${to}.example.com)`)).toMatchObject([{ kind: 'address' }]);
  });

  it.each([
    'a_name_with_lines',
    'a -# b',
    '<t:9999999999999:R>',
    '-#b',
    '2 * 3 * 4',
    '**',
    '```',
    '<t:>',
    '<@12>',
    '[a](b)',
    'a ** b ** c` d',
    '<script>alert(1)</script>',
  ])('%j stays text as it is', (written) => {
    expect(spoken(written)).toBe(written.replace('** b **', ' b '));
  });
});
