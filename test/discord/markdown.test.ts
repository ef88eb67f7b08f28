import { expect, it } from 'vitest';
import { readMarkdown } from '../helpers/discord/markdown.ts';

it.each([
  ['plain', 'plain', []],
  ['a `b` c', 'a ▮ c', ['b']],
  ['``a`b`` <@1>', '▮ <@1>', ['a`b']],
  ['`open <@1>', '`open <@1>', []],
  ['`a\nb`', '▮', ['a\nb']],
  ['\\`a`', '\\`a`', []],
  ['`a\\` @everyone`', '▮ @everyone`', ['a\\']],
  ['```\na\nb\n``` c', '▮ c', ['a\nb']],
  ['```js\na``` c', '▮ c', ['a']],
  ['x ``` y', 'x ``` y', []],
  ['**a `b` c**', '**a ▮ c**', ['b']],
  // What opens stress ends at the next mark, wherever that is.
  ['**a `b** c` d**', '**a `b** c` d**', []],
  ['A_URL: `b_ c` d', 'A_URL: `b_ c` d', []],
  ['A\\_URL: `b_ c` d', 'A\\_URL: ▮ d', ['b_ c']],
  ['A_URL and B_URL: `b` d', 'A_URL and B_URL: ▮ d', ['b']],
])('reads %j as Discord does', (text, outside, code) => {
  expect(readMarkdown(text)).toEqual({ outside, code });
});
