import fc from 'fast-check';
import type { Card } from '../../../src/card.ts';
import { render } from '../../../src/discord/render.ts';
import { type Reading, readMarkdown } from './markdown.ts';

/** Names that try to be markup, mentions or layout. */
const nasty = [
  '@everyone',
  '@here',
  '<@1000000000000000001>',
  '<@&1200000000000000003>',
  '<#1300000000000000001>',
  '</firewall flush:1>',
  '<t:1795125600:R>',
  '<:smile:1400000000000000001>',
  '[a](http://evil.example)',
  'https://evil.example/x',
  '<https://evil.example>',
  'discord.gg/evil',
  '`',
  '``',
  '```',
  '```js\n',
  '\\',
  '\\`',
  '\n',
  '\r\n',
  '\u2028',
  '\u0085',
  '\n# ',
  '\n- ',
  '\n> ',
  '\n>>> ',
  '\n-# ',
  '||',
  '**',
  '** [a](http://evil.example) **',
  '_ ',
  '__',
  '~~',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u0301',
  '\u{e0041}',
  '\ud83d',
  '\ude00',
  '👩‍🚒',
  ' ',
  '\t',
  '\0',
  '\u001b[31m',
  'x'.repeat(150),
] as const;

/** Text as it may come from outside: mostly pieces that mean something to Discord, sometimes anything, sometimes very long. */
export const outsideText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
      .map((pieces) => pieces.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...nasty).map((piece) => piece.repeat(Math.ceil(10_000 / piece.length))) },
);

/** The two texts of a card that Discord reads as markup. */
export function readCard(card: Card): Reading[] {
  const { content, embeds } = render(card);
  return [content, embeds[0]?.description ?? ''].map(readMarkdown);
}

/** What a code may not hold: line ends, controls, bidi and zero-width characters, halves of characters. */
export const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;
