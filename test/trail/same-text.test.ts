import { describe, expect, it } from 'vitest';
import { isSameText } from '../../src/trail/backlog.ts';

describe('a message of the trail is alike what it was posted to say', () => {
  it.each([
    ['the same', '`lost update`', '`lost update`'],
    ['written by a release that kept what is no character', '`a\ue000b\u0378c`', '`a\ufffdb\ufffdc`'],
    ['left without it by Discord', '`abc`', '`a\ufffdb\ufffdc`'],
    ['without piles of marks', '`a\u0301b`', `\`a${'\u0301'.repeat(40)}b\``],
    ['without any mark', '`e a`', '`é à`'],
    ['with an emoji of which the bot did not know then that it is one', '`\u{1fae9} x`', '`\ufffd x`'],
    ['without the white space at its ends', 'a', ' a\n'],
  ])('%s', (_how, content, text) => {
    expect(isSameText(content, text)).toBe(true);
  });

  it.each([
    ['another server', 'SENT /power boot web-1', 'SENT /power boot web-2'],
    ['another number of servers', '#12–#30 · 1a2b3c4d5e6f', '#12–#31 · 1a2b3c4d5e6f'],
    ['another word in another script', '`перезагрузка`', '`выключение`'],
    ['a line less', 'one\ntwo', 'one'],
  ])('and not with %s', (_how, content, text) => {
    expect(isSameText(content, text)).toBe(false);
  });
});
