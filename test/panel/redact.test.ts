import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readable } from '../../src/panel/body.ts';
import { readDocument, readReply } from '../../src/panel/errors.ts';
import { redactor } from '../../src/panel/redact.ts';

const token = '17|kR/9xWq"Zt7+LmN=pQ2vB&cD4';
const redact = redactor(token);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const code = (char: string, base: number, digits: number): string =>
  char.charCodeAt(0).toString(base).padStart(digits, '0');

/** How one character is written. */
const ways: Readonly<Record<string, (char: string) => string>> = {
  'in plain': (char) => char,
  'in a URL': (char) => `%${code(char, 16, 2)}`,
  'in a URL, in capitals': (char) => `%${code(char, 16, 2).toUpperCase()}`,
  'in a URL within a URL': (char) => `%25${code(char, 16, 2)}`,
  'in an old URL': (char) => `%u${code(char, 16, 4)}`,
  'in JSON': (char) => `\\u${code(char, 16, 4)}`,
  'in JSON within JSON': (char) => `\\\\u${code(char, 16, 4)}`,
  'in JSON within JSON within JSON': (char) => `\\\\\\\\u${code(char, 16, 4)}`,
  'in JSON, whose backslash is written in JSON': (char) => `\\u005cu${code(char, 16, 4)}`,
  'in JavaScript': (char) => `\\u{${code(char, 16, 0)}}`,
  'in hexadecimal escapes': (char) => `\\x${code(char, 16, 2)}`,
  'in octal escapes': (char) => `\\${code(char, 8, 3)}`,
  'in HTML': (char) => `&#${code(char, 10, 0)};`,
  'in HTML, with zeros': (char) => `&#${code(char, 10, 30)};`,
  'in HTML, in hexadecimal': (char) => `&#x${code(char, 16, 0)};`,
  'in HTML within HTML': (char) => `&amp;#${code(char, 10, 0)};`,
  'in a mail': (char) => `=${code(char, 16, 2).toUpperCase()}`,
  'in full width': (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0),
};

/** What may stand between two characters and is not seen, or not taken for a part. */
const fillers = {
  nothing: '',
  NUL: '\0',
  'a zero-width space': '\u200b',
  'a soft hyphen': '\u00ad',
  'a soft hyphen in HTML': '&shy;',
  'a zero-width joiner in HTML': '&zwj;',
  'a name that is none': '&constructor;',
  'a line break': '\r\n',
  'an escaped line break': '\\n',
  'an escaped NUL': '\\u0000',
  'a line break of a mail': '=\r\n',
  'a space': ' ',
};

describe('a token that somebody repeats', () => {
  it.each([
    ['in plain', token],
    ['in lower case', token.toLowerCase()],
    ['in upper case', token.toUpperCase()],
    ['in JSON', JSON.stringify(token).slice(1, -1)],
    ['in JSON as PHP writes it', JSON.stringify(token).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(token)).slice(3, -3)],
    ['in a URL', encodeURIComponent(token)],
    ['in HTML', token.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in HTML, with names', token.replaceAll('|', '&vert;').replaceAll('/', '&sol;').replaceAll('=', '&equals;')],
    ['in HTML, by numbers without semicolons', [...token].map((char) => `&#${char.charCodeAt(0)}`).join('')],
    ['in hex', Buffer.from(token).toString('hex')],
    ['in hex with spaces', (Buffer.from(token).toString('hex').match(/../g) ?? []).join(' ')],
    ['but for its end', token.slice(0, -1)],
    ['but for its beginning', token.slice(1)],
    ['as eight characters of it', token.slice(4, 12)],
    ['in lines of seven', (token.match(/.{1,7}/g) ?? []).join('\n')],
  ])('%s, is not to be seen', (_how, form) => {
    expect(redact(`{"said":"Bearer ${form} is wrong"}`)).toBe('{"said":"Bearer (token) is wrong"}');
  });

  it.each(Object.entries(ways))('%s, each character, is not to be seen, whatever is between them', (_how, written) => {
    for (const [between, filler] of Object.entries(fillers)) {
      const form = [...token].map(written).join(filler);
      expect(redact(`{"said":"Bearer ${form} is wrong"}`), between).toBe('{"said":"Bearer (token) is wrong"}');
    }
  });

  it('but for one character in the middle shows that character alone', () => {
    expect(redact(`${token.slice(0, 12)}*${token.slice(13)}`)).toBe('(token)*(token)');
  });

  it.each(['', 'x', 'xy', 'user:', 'Bearer '])('in base64, behind %j, shows at most what is around it', (before) => {
    const seen = redact(base64(`${before}${token} and so on`));
    expect(seen).toContain('(token)');
    expect(Buffer.from(seen.split('(token)')[0] ?? '', 'base64').toString()).not.toContain(token.slice(0, 4));
  });

  it('is hidden, too, where it is shorter than that', () => {
    expect(redactor('abc')('an abc here')).toBe('an (token) here');
  });
});

/** Printable ASCII, but for what begins an escape and could mean two things among others; and what tokens usually are. */
const character = fc
  .integer({ min: 0x21, max: 0x7e })
  .map((at) => String.fromCharCode(at))
  .filter((char) => !'%&=\\'.includes(char));
const tokens = fc.oneof(
  fc.string({
    unit: character,
    minLength: 8,
    maxLength: 60,
  }),
  fc.stringMatching(/^\d{1,4}\|[A-Za-z0-9]{40}$/),
);
/** What it says to whoever reads it, once nothing is escaped. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\x21-\x7e]/g, '');

describe('any token', () => {
  it('no eight characters are left, however each of them is written, and all around stays', () => {
    const around = fc.constantFrom('', 'é, ', '«%20» ', '(a) ');
    const written = tokens.chain((each) =>
      fc.record({
        token: fc.constant(each),
        way: fc.array(fc.constantFrom(...Object.values(ways)), { minLength: each.length, maxLength: each.length }),
        filler: fc.constantFrom(...Object.values(fillers)),
        around,
      }),
    );
    fc.assert(
      fc.property(written, ({ token: each, way, filler, around }) => {
        const form = [...each].map((char, at) => way[at]?.(char) ?? char).join(filler);
        const seen = redactor(each)(`${around}${form} ${around}`);
        expect(seen).toContain('(token)');
        const rest = plain(seen.replaceAll('(token)', '\n').replaceAll(around.trim(), ''));
        expect(rest.length).toBeLessThan(8);
      }),
      { numRuns: 500 },
    );
  });

  it('no eight characters are left of any part of it that has them', () => {
    fc.assert(
      fc.property(tokens, fc.nat(), fc.nat(), (each, from, more) => {
        const at = from % (each.length - 7);
        const part = each.slice(at, at + 8 + (more % each.length));
        const seen = redactor(each)(`< ${part} >`);
        expect(seen).toContain('(token)');
        expect(plain(seen.replaceAll('(token)', '')).length).toBeLessThan(8);
      }),
    );
  });

  it('a text without it stays as it came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
    const words = fc.constantFrom(
      ...Object.values(fillers),
      ...Object.values(ways).map((way) => way('~')),
      'word',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(words), (all) => {
        expect(redact(all.join(''))).toBe(all.join(''));
      }),
    );
    expect(redact('17|kR/9')).toBe('17|kR/9');
  });
});

it('a member with the name of a prototype is searched like any other, and all keep their order', () => {
  const answer: unknown = JSON.parse(
    `{"a":"${token.replace('"', '\\"')}","__proto__":"${token.replace('"', '\\"')}","c":1}`,
  );
  expect(JSON.stringify(readable(answer, redact))).toBe('{"a":"(token)","__proto__":"(token)","c":1}');
});

describe('an answer of the panel', () => {
  const reply = (status: number, body: unknown) => ({ status, headers: {}, text: JSON.stringify(body), body });
  const url = [...token].map((char) => `%25${code(char, 16, 2)}`).join('');

  it('has the token nowhere: not in texts, not in names, not in what it says', () => {
    expect(readDocument(reply(200, { [token]: [{ said: `x ${url}` }, 7, null, true] }), redact)).toEqual({
      kind: 'yes',
      data: { '(token)': [{ said: 'x (token)' }, 7, null, true] },
    });
    expect(readReply('firewall', reply(200, { data: { enabled: true, rules: [{ comment: url }] } }), redact)).toEqual({
      kind: 'yes',
      data: { enabled: true, rules: [{ comment: '(token)' }] },
    });
    expect(readReply('powerBoot', reply(422, { errors: { [token]: [`${url} is wrong`] } }), redact)).toMatchObject({
      said: '(token): (token) is wrong',
    });
  });

  it('is cut where nobody would read on, and has no token at the cut', () => {
    const answer = readDocument(reply(200, `${'x'.repeat(980)} ${token} ${'y'.repeat(1000)}`), redact);
    expect(answer).toEqual({ kind: 'yes', data: `${'x'.repeat(980)} (token)…` });
  });

  it('is not parsed where it is larger than anybody reads', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => at);
    expect(readDocument(reply(200, many), redact)).toMatchObject({ kind: 'unknown' });
    const rules = reply(200, { data: { enabled: true, rules: many } });
    expect(readReply('firewall', rules, redact)).toMatchObject({ kind: 'unknown', reason: 'answer-too-large' });
  });

  const mostBytes = 5 * 1024 * 1024;
  const full = (piece: string): string => piece.repeat(mostBytes / piece.length);
  it.each([
    ['percent signs', full('%41')],
    ['backslashes', full('\\')],
    ['entities', full('&#x0000000')],
    ['what is almost the token', full(`${token.slice(0, 7)} `)],
    ['the token', full(token)],
    ['short texts of backslashes', Array.from({ length: 200_000 }, (_, at) => `${at}${'\\'.repeat(20)}`)],
    ['long texts of backslashes', Array.from({ length: 2_000 }, (_, at) => `${at}${'\\'.repeat(2_000)}`)],
    ['long texts of the token', Array.from({ length: 2_000 }, (_, at) => `${at}${token.repeat(70)}`)],
    ['the same names again and again', Array.from({ length: 30_000 }, () => ({ distributionType: 1, hypervisors: 2 }))],
  ])('of 5 MiB with %s delays nobody', (_what, body) => {
    // In ms of CPU. A busy machine makes single tries slow, not all of them.
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 100 && best >= 50; tries += 1) {
      // What is found in a list is replaced in it.
      const fresh: unknown = Array.isArray(body) ? [...body] : body;
      const began = process.cpuUsage();
      readable(fresh, redact);
      const { user, system } = process.cpuUsage(began);
      best = Math.min(best, (user + system) / 1000);
    }
    expect(best).toBeLessThan(50);
  });
});
