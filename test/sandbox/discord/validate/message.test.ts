import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/discord/validate/index.ts';
import {
  flat,
  type Limit,
  many,
  type Rule,
  testLimits,
  testRules,
  x,
} from '../../../helpers/sandbox/discord/validate/flat.ts';

const id = (index: number) => String(1100000000000000000n + BigInt(index));
const field = (name: string, value: string) => ({ name, value });

const sound = {
  content: 'x',
  embeds: [{ title: 'x', fields: [field('a', 'b')] }],
  allowed_mentions: { parse: ['everyone'], roles: [id(1)], replied_user: false },
  message_reference: { type: 0, message_id: id(1), channel_id: id(2), fail_if_not_exists: false },
  attachments: [{ id: '0', filename: 'a.txt' }],
};
const url = (length: number) => `https://example.com/${x(length - 20)}`;
const limits: Limit[] = [
  ['content', 'BASE_TYPE_MAX_LENGTH', x(2000), x(2001)],
  ['content', 'STRING_TYPE_CONVERT', null, {}],
  ['nonce', 'NONCE_TYPE_TOO_LONG', x(25), x(26)],
  ['nonce', 'NONCE_TYPE_INVALID_TYPE', 7, true],
  ['enforce_nonce', 'BOOLEAN_TYPE_CONVERT', true, 'yes'],
  ['tts', 'BOOLEAN_TYPE_CONVERT', false, 0],
  ['flags', 'NUMBER_TYPE_COERCE', 64, '64'],
  ['flags', 'NUMBER_TYPE_MIN', 0, -1],
  ['embeds', 'BASE_TYPE_MAX_LENGTH', many(10, () => ({ title: 'x' })), many(11, () => ({ title: 'x' }))],
  ['embeds', 'LIST_TYPE_CONVERT', [], { title: 'x' }],
  ['embeds.0.title', 'BASE_TYPE_MAX_LENGTH', x(256), x(257)],
  ['embeds.0.description', 'BASE_TYPE_MAX_LENGTH', x(4096), x(4097)],
  ['embeds.0.fields', 'BASE_TYPE_MAX_LENGTH', many(25, () => field('a', 'b')), many(26, () => field('a', 'b'))],
  ['embeds.0.fields.0.name', 'BASE_TYPE_MAX_LENGTH', x(256), x(257)],
  ['embeds.0.fields.0.name', 'BASE_TYPE_REQUIRED', 'a', undefined],
  ['embeds.0.fields.0.value', 'BASE_TYPE_MAX_LENGTH', x(1024), x(1025)],
  ['embeds.0.fields.0.value', 'BASE_TYPE_REQUIRED', '\u200b', ' '],
  ['embeds.0.footer.text', 'BASE_TYPE_MAX_LENGTH', x(2048), x(2049)],
  ['embeds.0.author.name', 'BASE_TYPE_MAX_LENGTH', x(256), x(257)],
  ['embeds.0.color', 'NUMBER_TYPE_MAX', 0xffffff, 0x1000000],
  ['embeds.0.color', 'NUMBER_TYPE_MIN', 0, -1],
  ['embeds.0.url', 'URL_TYPE_INVALID_SCHEME', 'http://example.com', 'ftp://example.com'],
  ['embeds.0.url', 'URL_TYPE_INVALID_URL', 'https://example.com', 'example'],
  ['embeds.0.url', 'URL_TYPE_INVALID_URL', 'https://example.com:443', 'https://example.com:port'],
  ['embeds.0.url', 'BASE_TYPE_MAX_LENGTH', url(2048), url(2049)],
  ['embeds.0.image.url', 'URL_TYPE_INVALID_SCHEME', 'attachment://a.png', 'file:///a.png'],
  ['embeds.0.timestamp', 'DATE_TIME_TYPE_PARSE', '2026-11-19T22:00:00.000Z', 'soon'],
  ['allowed_mentions.users', 'BASE_TYPE_MAX_LENGTH', many(100, id), many(101, id)],
  ['allowed_mentions.parse.0', 'BASE_TYPE_CHOICES', 'users', 'here'],
  ['allowed_mentions.roles.0', 'NUMBER_TYPE_MAX', '9223372036854775807', '9223372036854775808'],
  ['message_reference.message_id', 'BASE_TYPE_REQUIRED', id(1), undefined],
  ['message_reference.message_id', 'NUMBER_TYPE_COERCE', id(1), 'last'],
  ['attachments', 'BASE_TYPE_MAX_LENGTH', many(10, (index) => ({ id: index })), many(11, (index) => ({ id: index }))],
  ['attachments.0.id', 'BASE_TYPE_REQUIRED', '0', undefined],
];

const rules: Rule[] = [
  ['the body is an object', {}, [], 'MODEL_TYPE_CONVERT'],
  [
    'components v2 leave no content',
    { flags: 32768 },
    { flags: 32768, content: 'x' },
    'content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
  ],
  [
    'an embed shows something',
    { embeds: [{ image: { url: 'https://example.com/a.png' } }] },
    { embeds: [{ color: 1 }] },
    'embeds.0.description BASE_TYPE_REQUIRED',
  ],
  [
    'embeds 6,000 together',
    {
      embeds: [
        { title: x(256), description: x(4096) },
        { description: x(1640), fields: [field('abcd', 'efgh')] },
      ],
    },
    {
      embeds: [
        { title: x(256), description: x(4096) },
        { description: x(1641), fields: [field('abcd', 'efgh')] },
      ],
    },
    'embeds MAX_EMBED_SIZE_EXCEEDED',
  ],
  [
    'footer and author count among the 6,000',
    { embeds: [{ description: x(4000), author: { name: x(100) }, footer: { text: x(1900) } }] },
    { embeds: [{ description: x(4000), author: { name: x(101) }, footer: { text: x(1900) } }] },
    'embeds MAX_EMBED_SIZE_EXCEEDED',
  ],
  [
    'mentions that are parsed and listed',
    { allowed_mentions: { parse: ['roles'], users: [id(1)] } },
    { allowed_mentions: { parse: ['users'], users: [id(1)] } },
    'allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
  ],
  [
    'mentioned roles that are parsed and listed',
    { allowed_mentions: { parse: ['users', 'roles'], users: [], roles: [] } },
    { allowed_mentions: { parse: ['roles'], roles: [id(1)] } },
    'allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
  ],
  [
    'a user mentioned twice',
    { allowed_mentions: { users: [id(1), id(2)] } },
    { allowed_mentions: { users: [id(1), id(1)] } },
    'allowed_mentions.users.1 SET_TYPE_ALREADY_CONTAINS_VALUE',
  ],
];

describe('a message', () => {
  testLimits(checkMessage, sound, limits);
  testRules(checkMessage, rules);

  it('is refused with the whole tree and the words of Discord', () => {
    const embeds = [{ title: x(257), fields: [{ name: '', value: x(1025) }] }];
    expect(checkMessage({ content: x(2001), embeds })).toEqual({
      content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] },
      embeds: {
        '0': {
          title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }] },
          fields: {
            '0': {
              name: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
              value: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 1024 or fewer in length.' }] },
            },
          },
        },
      },
    });
  });

  it('counts characters, not UTF-16 units, and no white space around them', () => {
    expect(checkMessage({ content: ` ${'🔥'.repeat(2000)}\n` })).toBeUndefined();
    expect(flat(checkMessage({ content: '🔥'.repeat(2001) }))).toEqual(['content BASE_TYPE_MAX_LENGTH']);
  });
});
