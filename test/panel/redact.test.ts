import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/panel/redact.ts';

const token = '17|kR/9xWq"Zt7+LmN=pQ2vB&cD4';
const redact = redactor(token);
const percent = [...token].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const unicode = [...token].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a token that somebody repeats', () => {
  it.each([
    ['in plain', token],
    ['in JSON', JSON.stringify(token).slice(1, -1)],
    ['in JSON as PHP writes it', JSON.stringify(token).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(token)).slice(3, -3)],
    ['in escapes of JSON', unicode],
    ['in a URL', encodeURIComponent(token)],
    ['in a URL, each character', percent.toUpperCase()],
    ['in HTML', token.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in HTML, by numbers', [...token].map((char) => `&#${char.charCodeAt(0)};`).join('')],
    ['in HTML, by hexadecimal numbers', [...token].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join('')],
    ['in hex', Buffer.from(token).toString('hex')],
    ['but for its end', token.slice(0, -1)],
    ['but for its beginning', token.slice(1)],
    ['as eight characters of it', token.slice(5, 13)],
  ])('%s, is not to be seen', (_how, form) => {
    expect(redact(`{"said":"Bearer ${form} is wrong"}`)).toBe('{"said":"Bearer (token) is wrong"}');
  });

  it('but for one character in the middle shows that character alone', () => {
    expect(redact(`${token.slice(0, 12)}*${token.slice(13)}`)).toBe('(token)*(token)');
  });

  it.each(['', 'x', 'xy', 'user:', 'Bearer '])('in base64, behind %j, shows at most what is around it', (before) => {
    const seen = redact(base64(`${before}${token} and so on`));
    expect(seen).toContain('(token)');
    expect(Buffer.from(seen.split('(token)')[0] ?? '', 'base64').toString()).not.toContain(token.slice(0, 4));
  });

  it('is not to be seen however its characters are written, and all else stays as it is', () => {
    const ways = [
      (char: string) => char,
      (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
      (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      (char: string) => `&#${char.charCodeAt(0)};`,
    ];
    const written = fc
      .array(fc.constantFrom(...ways), { minLength: token.length, maxLength: token.length })
      .map((way) => [...token].map((char, at) => way[at]?.(char) ?? char).join(''));
    fc.assert(
      fc.property(written, fc.constantFrom('', 'é "a\\nb" %20 ', '\\/'), (form, around) => {
        expect(redact(`${around} ${form} ${around}`)).toBe(`${around} (token) ${around}`);
      }),
    );
  });

  it('leaves what is none of it as it came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
    expect(redact('17|kR/9')).toBe('17|kR/9');
  });

  it('is not to be seen, either, where it is shorter than that', () => {
    expect(redactor('abc')('an abc here')).toBe('an (token) here');
  });

  it.each([
    ['backslashes', '\\'],
    ['percent signs', '%'],
    ['zeros of an entity', '&#0'],
    ['the token, escaped', `${percent} `],
  ])('does not hold anybody up in a text full of %s', (_what, piece) => {
    const text = piece.repeat(2_000_000 / piece.length);
    const began = performance.now();
    redact(text);
    // A second is what a slow machine takes for it; what is not linear takes minutes.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
