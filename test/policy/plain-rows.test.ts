import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readPolicy } from '../../src/policy/load.ts';
import { plainRows } from '../../src/policy/plain-rows.ts';
import { known } from '../helpers/policy/known.ts';

const rowsOf = (text: string) => plainRows(`servers:\n${text}\nunlisted: read\n`)?.rows;
const web1 = { id: 101, name: 'web-1', tier: 'production', ips: ['192.0.2.101', '2001:db8::a'], group: 1 };

describe('rows that are written plainly', () => {
  it.each([
    ['in braces', '  - { id: 101, name: web-1, tier: production, ips: [192.0.2.101, "2001:db8::a"], group: 1 }'],
    [
      'with a comment',
      '\n# ours\n  - {id: 101, name: "web-1", tier: production, ips: ["192.0.2.101", "2001:db8::a"], group: 1} # a',
    ],
    [
      'with a line for each key',
      '- id: 101\n  name: web-1 # the first\n  tier: "production"\n  ips: [ 192.0.2.101, "2001:db8::a" ]\n\n  group: 1',
    ],
    [
      'with a carriage return',
      '- id: 101\r\n  name: web-1\r\n  tier: production\r\n  ips: [192.0.2.101, "2001:db8::a"]\r\n  group: 1\r',
    ],
  ])('are read %s', (_how, text) => {
    expect(rowsOf(text)).toEqual([web1]);
  });

  it('leave the rest of the file as it is, with a word in their place', () => {
    expect(plainRows('roles: []\nservers: # ours\n  - { id: 1, name: a }\n# last\nunlisted: read\n')).toEqual({
      rows: [{ id: 1, name: 'a' }],
      rest: 'roles: []\nservers: plain-rows\nunlisted: read\n',
      keyAt: 10,
      standIn: 'plain-rows',
    });
  });

  it.each([
    ['a word that is none', '- { id: 1, name: null }'],
    ['a number for a name', '- { id: 1, name: 1e5 }'],
    ['an escape', '- { id: 1, name: "a\\x41" }'],
    ['an anchor', '- &a { id: 1, name: a }'],
    ['an alias', '- { id: 1, name: *a }'],
    ['a tag', '- { id: !!str 1, name: a }'],
    ['a key twice', '- { id: 1, id: 2, name: a }'],
    ['an unknown key', '- { id: 1, name: a, color: red }'],
    ['a comma in a line', '- id: 1,\n  name: a'],
    ['another indentation', '- { id: 1, name: a }\n - { id: 2, name: b }'],
    ['a key that is too far in', '- id: 1\n   name: a'],
    ['a key after a row in braces', '- { id: 1 }\n  name: a'],
    ['a tab', '-\t{ id: 1, name: a }'],
    ['a row over two lines', '- { id: 1,\n    name: a }'],
    ['a list over two lines', '- id: 1\n  ips:\n    - 192.0.2.1'],
    ['a number in octal', '- { id: 0o17, name: a }'],
    ['nothing', ''],
  ])('are not those with %s', (_what, text) => {
    expect(rowsOf(text)).toBeUndefined();
  });

  it.each(['%YAML 1.1\n---\n', '--- # first\n'])('are not read after %j, which may change what they mean', (start) => {
    expect(plainRows(`${start}servers:\n  - { id: 1, name: a }\n`)).toBeUndefined();
  });
});

const text = fc.string({ unit: fc.constantFrom(...'ab1.- "\'#,:{}[]null~e0x&*'), maxLength: 6 });
const member = fc.oneof(
  fc.constantFrom('id: 7', 'name: web-1', 'tier: "a b"', 'ips: [192.0.2.1]', 'ips: ["::1", 192.0.2.2]', 'group: 2'),
  fc.tuple(fc.constantFrom('id', 'name', 'tier', 'ips', 'group'), text).map(([key, value]) => `${key}: ${value}`),
);
const space = fc.constantFrom('', ' ', '  ');
const row = fc.oneof(
  fc
    .tuple(fc.array(member, { minLength: 1, maxLength: 3 }), space)
    .map(([all, end]) => `- {${end}${all.join(', ')}${end}}`),
  fc
    .tuple(fc.array(member, { minLength: 1, maxLength: 3 }), space)
    .map(([all, before]) => `- ${all.join(`\n${before}`)}`),
  fc.constantFrom('# comment', '', '-', 'x: 1'),
);
const file = fc
  .tuple(fc.constantFrom('', '  '), fc.array(row, { maxLength: 3 }), fc.constantFrom('', 'a: 1', 'a: "', '...', '- b'))
  .map(
    ([indent, rows, after]) => `servers:\n${rows.map((each) => each.replaceAll(/^/gm, indent)).join('\n')}\n${after}`,
  );

/** Whether the library makes something of it. */
function isRead(written: string): boolean {
  const document = parseDocument(written);
  if (document.errors.length > 0) return false;
  try {
    document.toJS();
    return true;
  } catch {
    return false;
  }
}

describe('any rows', () => {
  it('mean what the YAML library takes them for, if they are read', () => {
    let read = 0;
    fc.assert(
      fc.property(file, (written) => {
        const plain = plainRows(written);
        if (plain === undefined) return;
        // What is around them is left to the library, an alias of nothing among it.
        if (!isRead(plain.rest)) return;
        read += 1;
        const document = parseDocument(written);
        expect(document.errors).toEqual([]);
        expect(document.toJS()).toMatchObject({ servers: plain.rows });
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  const roles = 'roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]';
  it.each([
    ['in a text of several lines', `timezone: "\nservers:\n  - { id: 1, name: a }\n"\n${roles}\n`],
    ['in a block of text', `|\n  x\nservers:\n  - { id: 1, name: a }\n`],
    ['in braces around all', `{ ${roles},\nservers:\n  - { id: 1, name: a }\n}\n`],
    ['a second time', `servers: []\n${roles}\nservers:\n  - { id: 1, name: a }\n`],
  ])('are no servers %s', (_where, written) => {
    expect(readPolicy(written, known)).toHaveProperty('problems');
  });
});
