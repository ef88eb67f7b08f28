import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  headline,
  joined,
  list,
  md,
  moment,
  quote,
  serverLabel,
  serverName,
  subjectOf,
  trusted,
} from '../src/card.ts';
import { codeBlock } from '../src/code.ts';
import { readMarkdown } from './helpers/discord/markdown.ts';
import { outsideText, unseen } from './helpers/discord/outside.ts';
import { tries } from './helpers/tries.ts';

describe('a quote', () => {
  it.each([
    ['web-1', '`web-1`'],
    ['  two words ', '`two words`'],
    ['@everyone <@1000000000000000001>', '`@everyone <@1000000000000000001>`'],
    ['a\nb\r\nc\u2028d', '`a b c d`'],
    ['a`b``c```', '`aˋbˋˋcˋˋˋ`'],
    ['abc\u202edef\u2066', '`abc def`'],
    ['a\u200bb\u200dc\ufeff', '`a b c`'],
    ['a\ud83d', '`a`'],
    ['👩 x', '`👩 x`'],
    ['é', '`é`'],
    ['a\\', '`a\\`'],
    ['a\ue000b\u0378c\u{10fffd}\ufffe', '`a\ufffdb\ufffdc\ufffd\ufffd`'],
    [`a${'\u0301'.repeat(6)}b`, `\`a${'\u0301'.repeat(5)}b\``],
    ['', '`(empty)`'],
    [' \n\u200b', '`(empty)`'],
    ['`', '`ˋ`'],
  ])('of %j is %j', (text, markup) => {
    expect(quote(text)).toEqual({ markup });
  });

  it('is cut after 200 characters, and says how many are left out', () => {
    expect(quote('x'.repeat(200)).markup).toBe(`\`${'x'.repeat(200)}\``);
    expect(quote('x'.repeat(10_000)).markup).toBe(`\`${'x'.repeat(200)}… (9800 more)\``);
    expect(quote('👩'.repeat(9), 4).markup).toBe('`👩👩👩👩… (5 more)`');
  });

  it('is one code on one line, whatever the text is, wherever it stands', () => {
    fc.assert(
      fc.property(outsideText, outsideText, (one, other) => {
        const { outside, code } = readMarkdown(md`**a** ${one}, ${other}: b\n${one}`.markup);
        expect(outside).toBe('**a** ▮, ▮: b\n▮');
        for (const each of code) {
          expect(each).not.toMatch(unseen);
          expect([...each].length).toBeLessThanOrEqual(220);
        }
      }),
      { numRuns: tries(1000) },
    );
  });
});

it('a code block ends where it should, whatever its lines are', () => {
  const lines = ['```', '  <@1400000000000000001>', '[a](https://evil.example)\n```b'];
  const shown = ['```', 'ˋˋˋ', '  <@1400000000000000001>', '[a](https://evil.example) ˋˋˋb', '```'];
  expect(codeBlock(lines).markup).toBe(shown.join('\n'));
});

describe('a sentence of a card', () => {
  it('quotes text, and leaves numbers and markup as they are', () => {
    expect(md`**${7}** ${'a`b'} ${trusted('**x**')} ${quote('c', 1)}`.markup).toBe('**7** `aˋb` **x** `c`');
  });

  it('lists pieces as people do', () => {
    const pieces = ['a', 'b', 'c'].map(trusted);
    expect(list([]).markup).toBe('');
    expect(list(pieces.slice(0, 1)).markup).toBe('a');
    expect(list(pieces.slice(0, 2)).markup).toBe('a and b');
    expect(list(pieces).markup).toBe('a, b and c');
    expect(list(pieces, ', ').markup).toBe('a, b, c');
    expect(joined(pieces, '\n').markup).toBe('a\nb\nc');
  });

  it('counts, and tells a time in the reader’s own zone', () => {
    expect([count(0, 'rule'), count(1, 'rule'), count(4, 'rule'), count(2, 'address', 'addresses')]).toEqual([
      '0 rules',
      '1 rule',
      '4 rules',
      '2 addresses',
    ]);
    expect(moment(1_795_125_600_999).markup).toBe('<t:1795125600:R>');
    expect(moment(0, 'f').markup).toBe('<t:0:f>');
  });

  it('names a server with its id, and its tier where it stands alone', () => {
    const web = { id: 101, name: 'web-1', tier: 'production' };
    expect(serverName(web).markup).toBe('web-1 (101)');
    expect(serverLabel(web).markup).toBe('web-1 (101, production)');
    expect(serverLabel({ id: 101, name: 'web-1' }).markup).toBe('web-1 (101)');
    expect(serverName({ id: 4711 }).markup).toBe('server 4711');
    expect(serverLabel({ id: 4711 }).markup).toBe("server 4711 (not in the policy's list)");
    expect(subjectOf([])).toBeUndefined();
    expect(subjectOf([web])?.markup).toBe('web-1 (101, production)');
    expect(subjectOf([web, { id: 4711 }])?.markup).toBe('2 servers');
  });

  it('begins with the outcome in capitals, the command and the server', () => {
    const card = { command: '/power boot', body: [] };
    expect(headline({ ...card, state: 'not-sent', subject: trusted('web-1 (101)') })).toBe(
      'NOT-SENT /power boot · web-1 (101)',
    );
    expect(headline({ ...card, state: 'working' })).toBe('WORKING /power boot');
  });
});
