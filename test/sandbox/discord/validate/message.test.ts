import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/discord/validate/index.ts';
import { flat, many, x } from '../../../helpers/sandbox/discord/validate/flat.ts';

const id = (index: number) => String(1100000000000000000n + BigInt(index));
const field = (name: string, value: string) => ({ name, value });

/** What is taken at the limit, what is refused beyond it, and with which path and code. */
const rules: [rule: string, taken: unknown, refused: unknown, expected: string][] = [
  ['content 2,000', { content: x(2000) }, { content: x(2001) }, 'content BASE_TYPE_MAX_LENGTH'],
  ['content is text', { content: null }, { content: {} }, 'content STRING_TYPE_CONVERT'],
  ['the body is an object', {}, [], 'MODEL_TYPE_CONVERT'],
  ['nonce 25', { nonce: x(25) }, { nonce: x(26) }, 'nonce NONCE_TYPE_TOO_LONG'],
  ['nonce kind', { nonce: 7 }, { nonce: true }, 'nonce NONCE_TYPE_INVALID_TYPE'],
  ['enforce_nonce', { enforce_nonce: true }, { enforce_nonce: 'yes' }, 'enforce_nonce BOOLEAN_TYPE_CONVERT'],
  ['tts', { tts: false }, { tts: 0 }, 'tts BOOLEAN_TYPE_CONVERT'],
  ['flags are a number', { flags: 64 }, { flags: '64' }, 'flags NUMBER_TYPE_COERCE'],
  ['flags below zero', { flags: 0 }, { flags: -1 }, 'flags NUMBER_TYPE_MIN'],
  [
    'components v2 leave no content',
    { flags: 32768 },
    { flags: 32768, content: 'x' },
    'content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
  ],
  [
    'ten embeds',
    { embeds: many(10, () => ({ title: 'x' })) },
    { embeds: many(11, () => ({ title: 'x' })) },
    'embeds BASE_TYPE_MAX_LENGTH',
  ],
  ['embeds are a list', { embeds: [] }, { embeds: { title: 'x' } }, 'embeds LIST_TYPE_CONVERT'],
  [
    'an embed shows something',
    { embeds: [{ image: { url: 'https://example.com/a.png' } }] },
    { embeds: [{ color: 1 }] },
    'embeds.0.description BASE_TYPE_REQUIRED',
  ],
  [
    'title 256',
    { embeds: [{ title: x(256) }] },
    { embeds: [{ title: x(257) }] },
    'embeds.0.title BASE_TYPE_MAX_LENGTH',
  ],
  [
    'description 4,096',
    { embeds: [{ description: x(4096) }] },
    { embeds: [{ title: 'x' }, { description: x(4097) }] },
    'embeds.1.description BASE_TYPE_MAX_LENGTH',
  ],
  [
    '25 fields',
    { embeds: [{ fields: many(25, () => field('a', 'b')) }] },
    { embeds: [{ fields: many(26, () => field('a', 'b')) }] },
    'embeds.0.fields BASE_TYPE_MAX_LENGTH',
  ],
  [
    'field name 256',
    { embeds: [{ fields: [field(x(256), 'b')] }] },
    { embeds: [{ fields: [field(x(257), 'b')] }] },
    'embeds.0.fields.0.name BASE_TYPE_MAX_LENGTH',
  ],
  [
    'field value 1,024',
    { embeds: [{ fields: [field('a', x(1024))] }] },
    { embeds: [{ fields: [field('a', x(1025))] }] },
    'embeds.0.fields.0.value BASE_TYPE_MAX_LENGTH',
  ],
  [
    'field name there',
    { embeds: [{ fields: [field('a', 'b')] }] },
    { embeds: [{ fields: [{ value: 'b' }] }] },
    'embeds.0.fields.0.name BASE_TYPE_REQUIRED',
  ],
  [
    'field value not blank',
    { embeds: [{ fields: [field('a', '\u200b')] }] },
    { embeds: [{ fields: [field('a', 'b'), field('a', ' ')] }] },
    'embeds.0.fields.1.value BASE_TYPE_REQUIRED',
  ],
  [
    'footer 2,048',
    { embeds: [{ footer: { text: x(2048) } }] },
    { embeds: [{ footer: { text: x(2049) } }] },
    'embeds.0.footer.text BASE_TYPE_MAX_LENGTH',
  ],
  [
    'author 256',
    { embeds: [{ author: { name: x(256) } }] },
    { embeds: [{ author: { name: x(257) } }] },
    'embeds.0.author.name BASE_TYPE_MAX_LENGTH',
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
    'colour at most FFFFFF',
    { embeds: [{ title: 'x', color: 16777215 }] },
    { embeds: [{ title: 'x', color: 16777216 }] },
    'embeds.0.color NUMBER_TYPE_MAX',
  ],
  [
    'colour from 0',
    { embeds: [{ title: 'x', color: 0 }] },
    { embeds: [{ title: 'x', color: -1 }] },
    'embeds.0.color NUMBER_TYPE_MIN',
  ],
  [
    'url schemes',
    { embeds: [{ title: 'x', url: 'http://example.com' }] },
    { embeds: [{ title: 'x', url: 'ftp://example.com' }] },
    'embeds.0.url URL_TYPE_INVALID_SCHEME',
  ],
  [
    'a url at all',
    { embeds: [{ title: 'x', url: 'https://example.com' }] },
    { embeds: [{ title: 'x', url: 'example' }] },
    'embeds.0.url URL_TYPE_INVALID_URL',
  ],
  [
    'a url of 2,048',
    { embeds: [{ title: 'x', url: `https://example.com/${x(2028)}` }] },
    { embeds: [{ title: 'x', url: `https://example.com/${x(2029)}` }] },
    'embeds.0.url BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a url that parses',
    { embeds: [{ title: 'x', url: 'https://example.com:443' }] },
    { embeds: [{ title: 'x', url: 'https://example.com:port' }] },
    'embeds.0.url URL_TYPE_INVALID_URL',
  ],
  [
    'images from attachments',
    { embeds: [{ image: { url: 'attachment://a.png' } }] },
    { embeds: [{ image: { url: 'file:///a.png' } }] },
    'embeds.0.image.url URL_TYPE_INVALID_SCHEME',
  ],
  [
    'timestamp',
    { embeds: [{ title: 'x', timestamp: '2026-11-19T22:00:00.000Z' }] },
    { embeds: [{ title: 'x', timestamp: 'soon' }] },
    'embeds.0.timestamp DATE_TIME_TYPE_PARSE',
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
    '100 mentioned users',
    { allowed_mentions: { users: many(100, id) } },
    { allowed_mentions: { users: many(101, id) } },
    'allowed_mentions.users BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a user mentioned twice',
    { allowed_mentions: { users: [id(1), id(2)] } },
    { allowed_mentions: { users: [id(1), id(1)] } },
    'allowed_mentions.users.1 SET_TYPE_ALREADY_CONTAINS_VALUE',
  ],
  [
    'kinds of mention',
    { allowed_mentions: { parse: [], replied_user: false } },
    { allowed_mentions: { parse: ['here'] } },
    'allowed_mentions.parse.0 BASE_TYPE_CHOICES',
  ],
  [
    'a mentioned id',
    { allowed_mentions: { roles: ['9223372036854775807'] } },
    { allowed_mentions: { roles: ['9223372036854775808'] } },
    'allowed_mentions.roles.0 NUMBER_TYPE_MAX',
  ],
  [
    'a reply names its message',
    { message_reference: { message_id: id(1), fail_if_not_exists: false } },
    { message_reference: { channel_id: id(1) } },
    'message_reference.message_id BASE_TYPE_REQUIRED',
  ],
  [
    'a reply names an id',
    { message_reference: { type: 0, message_id: id(1) } },
    { message_reference: { message_id: 'last' } },
    'message_reference.message_id NUMBER_TYPE_COERCE',
  ],
  [
    'ten attachments',
    { attachments: many(10, (index) => ({ id: index, filename: 'a.txt' })) },
    { attachments: many(11, (index) => ({ id: index })) },
    'attachments BASE_TYPE_MAX_LENGTH',
  ],
  [
    'an attachment has an id',
    { attachments: [{ id: '0' }] },
    { attachments: [{ filename: 'a.txt' }] },
    'attachments.0.id BASE_TYPE_REQUIRED',
  ],
];

describe('a message', () => {
  it.each(rules)('is taken at the limit and refused beyond it: %s', (_rule, taken, refused, expected) => {
    expect(checkMessage(taken)).toBeUndefined();
    expect(flat(checkMessage(refused))).toEqual([expected]);
  });

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

  it('may carry keys that Discord does not know, and nulls', () => {
    expect(
      checkMessage({ content: null, embeds: null, components: null, allowed_mentions: null, x: 1 }),
    ).toBeUndefined();
  });

  it('may carry the flags that discord.js sends back when it edits a message with a thread', () => {
    expect(checkMessage({ content: 'x', flags: 32 })).toBeUndefined();
  });
});
