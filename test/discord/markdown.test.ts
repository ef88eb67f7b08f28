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
])('reads %j as Discord does', (text, outside, code) => {
  expect(readMarkdown(text)).toEqual({ outside, code });
});
