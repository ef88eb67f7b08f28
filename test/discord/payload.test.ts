import type { APIMessage, APIModalSubmission } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { fieldOf, noteOf } from '../../src/discord/payload.ts';

const person = { id: '1400000000000000003', username: 'carol', discriminator: '0', avatar: null, global_name: null };
const empty = {
  ...{ id: '1500000000000000001', channel_id: '1300000000000000001', author: person, type: 0, content: '' },
  ...{ timestamp: '2026-11-20T08:10:00.000Z', edited_timestamp: null, tts: false, pinned: false },
  ...{ mention_everyone: false, mentions: [], mention_roles: [], attachments: [], embeds: [] },
};
// Discord's documents are the source: also of members that the library does not know.
const textOf = (wire: object): string => noteOf({ ...empty, ...wire } as APIMessage).text;

const v2 = { flags: 32_768 };
const display = (content: string) => ({ type: 10, content });
const media = (name: string) => ({ url: `https://cdn.discordapp.com/attachments/1/2/${name}?ex=1&is=2` });

const file = (filename: string, more: object = {}) => ({
  id: '1',
  filename,
  size: 1,
  url: 'u',
  proxy_url: 'u',
  ...more,
});
/** What is forwarded. */
const original = (more: object) => ({
  message: { type: 0, content: '', embeds: [], attachments: [], mentions: [], ...more },
});

const forms: [form: string, wire: object, text: string][] = [
  ['a text display', { ...v2, components: [display('disk of web-1 is full')] }, 'disk of web-1 is full'],
  [
    'a container with a section, its button and a picture beside it',
    {
      ...v2,
      components: [
        {
          type: 17,
          components: [
            display('# Alert 17'),
            { type: 14, divider: true },
            {
              type: 9,
              components: [display('web-1'), display('is down')],
              accessory: { type: 2, style: 2, label: 'Acknowledge', custom_id: 'a' },
            },
            {
              type: 9,
              components: [display('Load')],
              accessory: { type: 11, media: media('load.png'), description: 'load of 40' },
            },
            { type: 1, components: [{ type: 2, style: 5, label: 'Runbook', url: 'https://wiki.example/17' }] },
          ],
        },
      ],
    },
    '# Alert 17\nweb-1\nis down\nAcknowledge\nLoad\n(picture load.png: load of 40)\nRunbook · https://wiki.example/17',
  ],
  [
    'a gallery and a file, which are not among the attachments',
    {
      ...v2,
      components: [
        {
          type: 12,
          items: [{ media: media('graph.png'), description: 'errors since 08:10' }, { media: media('map.png') }],
        },
        { type: 13, file: media('core.txt'), name: 'core.txt', size: 10 },
      ],
    },
    '(picture graph.png: errors since 08:10)\n(picture map.png)\n(file core.txt)',
  ],
  [
    'a menu to select from, beside a text',
    {
      content: 'Which server?',
      components: [
        {
          type: 1,
          components: [
            {
              type: 3,
              custom_id: 's',
              placeholder: 'Pick one',
              options: [
                { label: 'web-1', value: '1', description: 'Berlin' },
                { label: 'web-2', value: '2', emoji: { id: null, name: '🔥' } },
              ],
            },
          ],
        },
        { type: 1, components: [{ type: 2, style: 1, custom_id: 'e', emoji: { id: null, name: '👍' } }] },
      ],
    },
    'Which server?\nPick one\nweb-1 · Berlin\nweb-2\n👍',
  ],
  [
    'a component of tomorrow',
    { ...v2, components: [{ type: 99, components: [{ type: 98, label: 'new', component: display('inside') }] }] },
    'new\ninside',
  ],
  [
    'a poll with votes',
    {
      poll: {
        question: { text: 'Roll back?' },
        answers: [
          { answer_id: 1, poll_media: { text: 'Yes', emoji: { id: null, name: '👍' } } },
          { answer_id: 2, poll_media: { text: 'No' } },
        ],
        results: { is_finalized: false, answer_counts: [{ id: 1, count: 3, me_voted: false }] },
      },
    },
    '(poll) Roll back?\n(answer 1, 3 so far) 👍 Yes\n(answer 2) No',
  ],
  ['stickers', { sticker_items: [{ id: '1', name: 'This is fine', format_type: 1 }] }, '(sticker This is fine)'],
  [
    'a forwarded message with a file, and one in components',
    {
      flags: 16_384,
      message_reference: { type: 1, message_id: '9', channel_id: '8' },
      message_snapshots: [
        original({ content: 'the SAN is gone', attachments: [file('san.log')] }),
        original({ ...v2, components: [display('the other SAN, too')] }),
      ],
    },
    '(forwarded)\nthe SAN is gone\n(file san.log)\n(forwarded)\nthe other SAN, too',
  ],
  [
    'a voice message',
    { flags: 8192, attachments: [file('voice-message.ogg', { duration_secs: 12.4, waveform: 'FzY=' })] },
    '(voice message, 12 s)',
  ],
  [
    'a file with a title and a description, below a text',
    { content: 'see', attachments: [file('a_b.png', { title: 'ä b.png', description: 'CPU at 100 %' })] },
    'see\n(file a_b.png: ä b.png: CPU at 100 %)',
  ],
  [
    'every text of an embed, below a text',
    {
      content: 'Monitoring:',
      embeds: [
        {
          provider: { name: 'Grafana' },
          author: { name: 'alerts' },
          title: 'web-1',
          description: 'down',
          fields: [{ name: 'since', value: '08:10' }],
          footer: { text: 'rule 4' },
          image: media('panel.png'),
        },
      ],
    },
    'Monitoring:\nGrafana\nalerts\nweb-1\ndown\nsince: 08:10\nrule 4\n(picture panel.png)',
  ],
  [
    'a reply, with what it replies to',
    {
      type: 19,
      content: 'yes, since 08:10',
      message_reference: { type: 0, message_id: '9' },
      referenced_message: {
        ...empty,
        author: { ...person, username: 'dave' },
        components: [display('is web-1 slow?')],
      },
    },
    'yes, since 08:10\n(in reply to dave: is web-1 slow?)',
  ],
  [
    'a reply to what is gone',
    { type: 19, content: 'yes', message_reference: { message_id: '9' }, referenced_message: null },
    'yes\n(in reply to a message that was deleted)',
  ],
  [
    'a reply to what Discord left out',
    { type: 19, content: 'yes', message_reference: { message_id: '9' } },
    'yes\n(in reply to another message)',
  ],
  [
    'the message above a thread',
    { type: 21, message_reference: { message_id: '9' }, referenced_message: { ...empty, content: 'web-1 is down' } },
    'web-1 is down',
  ],
  ['a new thread', { type: 18, content: 'web-1 is slow' }, 'web-1 is slow'],
];

describe('A note has what people read in', () => {
  it.each(forms)('%s', (_form, wire, text) => {
    expect(textOf(wire)).toBe(text);
  });
});

it.each([
  ['nothing', {}],
  ['what cannot be seen', { content: '\u3164\n\u2800' }],
  ['a line between nothing', { ...v2, components: [{ type: 17, components: [{ type: 14 }] }] }],
  ['what Discord itself says', { type: 6, message_reference: { message_id: '9' } }],
  ['a kind of message of tomorrow', { type: 250 }],
])('It has no words of %s', (_what, wire) => {
  expect(textOf(wire)).toBe('');
});

it('A text that is too long says how much of it is not kept', () => {
  expect(textOf({ content: 'a'.repeat(4000), components: [display('b'.repeat(4000))] })).toMatch(
    /b\n\(2001 more letters are not kept\)$/,
  );
});

const bob = { id: '1400000000000000002', username: 'bob' };
const mentioning = (wire: object): string => textOf({ mentions: [bob], ...wire });

it.each([
  ['<@1400000000000000002> is on it', '@bob is on it'],
  ['<@!1400000000000000002>?', '@bob?'],
  ['<@1400000000000000009> left', '<@1400000000000000009> left'],
  ['down since <t:1795768200>', 'down since 2026-11-27 08:30:00 UTC'],
  ['down <t:1795768200:R>', 'down 2026-11-27 08:30:00 UTC'],
  ['<t:99999999999999999:R>', '<t:99999999999999999:R>'],
  ['<:fire:1300000000000000007> <a:siren:1300000000000000008>', ':fire: :siren:'],
  ['see </server show:1300000000000000009>', 'see /server show'],
])('%s is kept as people read it', (content, kept) => {
  expect(mentioning({ content })).toBe(kept);
});

it('Codes are read in any part of a message, and in what it answers', () => {
  expect(mentioning({ embeds: [{ description: 'ask <@1400000000000000002>' }] })).toBe('ask @bob');
  expect(
    mentioning({
      type: 19,
      content: 'yes',
      message_reference: {},
      referenced_message: { type: 0, content: 'now <t:1795768200:F>', author: bob, mentions: [] },
    }),
  ).toBe('yes\n(in reply to bob: now 2026-11-27 08:30:00 UTC)');
});

const input = { type: 4, id: 2, custom_id: 'typed', value: 'web-1' } as const;

const parts: [string, APIModalSubmission['components'][number]][] = [
  ['in a label', { type: 18, id: 1, component: input }],
  ['among radio buttons', { type: 18, id: 1, component: { type: 21, id: 2, custom_id: 'typed', value: 'web-1' } }],
  ['in a menu', { type: 18, id: 1, component: { type: 3, id: 2, custom_id: 'typed', values: ['web-1'] } }],
  ['in a row, as before an upgrade', { type: 1, id: 1, components: [input] }],
];

it.each(parts)('What a form was given is read %s', (_where, part) => {
  expect(fieldOf({ custom_id: 'form', components: [part] }, 'typed')).toBe('web-1');
  expect(fieldOf({ custom_id: 'form', components: [part] }, 'other')).toBeUndefined();
});
