import type { APIMessage } from 'discord.js';
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/discord/message-words.ts';

const bob = { id: '1400000000000000002', username: 'bob' };
// Only the members that matter: Discord's documents are the source.
const words = (wire: object): string => wordsOf({ mentions: [bob], ...wire } as Partial<APIMessage>);

test.each([
  ['<@1400000000000000002> is on it', '@bob is on it'],
  ['<@!1400000000000000002>?', '@bob?'],
  ['<@1400000000000000009> left', '<@1400000000000000009> left'],
  ['down since <t:1795768200>', 'down since 2026-11-27 08:30:00 UTC'],
  ['down <t:1795768200:R>', 'down 2026-11-27 08:30:00 UTC'],
  ['<t:99999999999999999:R>', '<t:99999999999999999:R>'],
  ['<:fire:1300000000000000007> <a:siren:1300000000000000008>', ':fire: :siren:'],
  ['see </server show:1300000000000000009>', 'see /server show'],
])('%s is kept as people read it', (content, kept) => {
  expect(words({ content })).toBe(kept);
});

test('in any part of a message, and in what it answers', () => {
  expect(words({ embeds: [{ description: 'ask <@1400000000000000002>' }] })).toBe('ask @bob');
  expect(
    words({
      type: 19,
      content: 'yes',
      message_reference: {},
      referenced_message: { type: 0, content: 'now <t:1795768200:F>', author: bob, mentions: [] },
    }),
  ).toBe('yes\n(in reply to bob: now 2026-11-27 08:30:00 UTC)');
});
