import { expect, test } from 'vitest';
import { call, discordForEach } from '../../helpers/sandbox/discord/raw.ts';

const NOW = Date.parse('2026-11-19T22:00:05Z');
const discord = discordForEach({ now: () => NOW, limits: { posts: false } });

async function show(body: object): Promise<string> {
  const { status, json } = await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, body);
  expect(status).toBe(200);
  const seen = discord.messages('bob', 'ops').find((message) => message.id === json.id);
  return seen ? discord.viewMessage('bob', seen) : '';
}

test('a card with embed, fields, footer and two rows of buttons', async () => {
  const button = (label: string, rest: object = {}) => ({ type: 2, style: 1, label, custom_id: label, ...rest });
  const card = {
    content: 'ASKED flush web-1\nsecond line',
    embeds: [
      {
        title: 'Flush web-1 (101)?',
        description: 'All rules go.\n\n4 rules are set now.',
        fields: [
          { name: 'Server', value: 'web-1' },
          { name: 'Disks', value: '0\n1' },
        ],
        footer: { text: 'run 42' },
      },
    ],
    components: [
      { type: 1, components: [button('Confirm'), button('Cancel', { disabled: true })] },
      { type: 1, components: [{ type: 2, style: 5, label: 'Docs', url: 'https://example.com' }] },
    ],
  };
  expect(await show(card)).toMatchInlineSnapshot(`
    "panelops: ASKED flush web-1
      second line
      │ Flush web-1 (101)?
      │ All rules go.
      │
      │ 4 rules are set now.
      │ Server
      │   web-1
      │ Disks
      │   0
      │   1
      │ run 42
      [Confirm] (Cancel)
      [Docs]"
  `);
});

test('mentions by name, marked where they ping', async () => {
  const content = '<@1400000000000000001> <@1400000000000000002> <@&1200000000000000001> <#1300000000000000002> `<@1>`';
  expect(await show({ content, allowed_mentions: { users: ['1400000000000000001'] } })).toBe(
    'panelops: @alice(!) @bob @viewer #audit `<@1>`',
  );
  expect(await show({ content: '@everyone <@&1200000000000000002> <@9> </firewall flush:1>' })).toBe(
    'panelops: @everyone(!) @on-call(!) @unknown-user /firewall flush',
  );
});

test.each([
  ['R', 0, 'just now'],
  ['R', 120, 'in 2 minutes'],
  ['R', 119, 'in 2 minutes'],
  ['R', 59, 'in 59 seconds'],
  ['R', -5, '5 seconds ago'],
  ['R', -1, '1 second ago'],
  ['R', -3600, '1 hour ago'],
  ['R', 3 * 86_400, 'in 3 days'],
  ['R', 400 * 86_400, 'in 1 year'],
  ['t', 0, '22:00 UTC'],
  ['T', 0, '22:00:05 UTC'],
  ['d', 0, '2026-11-19'],
  ['D', 0, '19 November 2026'],
  ['f', 0, '19 November 2026 22:00 UTC'],
  ['F', 0, 'Thursday, 19 November 2026 22:00 UTC'],
])('a timestamp of style %s, %i seconds from now, reads %s', async (style, away, words) => {
  expect(await show({ content: `<t:${NOW / 1000 + away}:${style}>` })).toBe(`panelops: ${words}`);
});

test('a timestamp without a style, and one in code', async () => {
  expect(await show({ content: `<t:${NOW / 1000}> \`<t:0:R>\`` })).toBe(
    'panelops: 19 November 2026 22:00 UTC `<t:0:R>`',
  );
});

test('replies quote what they answer, and the channel is in order', async () => {
  const id = await discord.type('bob', 'ops', 'Why is web-1 down, does anybody know anything at all?');
  await show({ content: 'Looking', message_reference: { message_id: id } });
  discord.editMessage('bob', id, 'Never mind');
  expect(discord.view('carol', 'ops')).toMatchInlineSnapshot(`
    "bob: Never mind (edited)

    ↪ reply to bob: Never mind
    panelops: Looking"
  `);
  discord.deleteMessage('bob', id);
  expect(discord.view('carol', 'ops')).toBe('↪ reply to a deleted message\npanelops: Looking');
});

test('replies quote what is bold without its marks, and cut it after that', async () => {
  const { json } = await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, {
    content: '△ **UNKNOWN /firewall flush · `a**b` (101, production)** and more',
  });
  const said = await show({ content: 'Looking', message_reference: { message_id: json.id } });
  expect(said).toBe('↪ reply to panelops: △ UNKNOWN /firewall flush · `a**b` (101…\npanelops: Looking');
});

test('what is in a block of code is no mention', async () => {
  const description = '```\n</firewall flush:1> <t:0:R>\n```\n</firewall flush:1>';
  expect(await show({ content: 'INVALID', embeds: [{ description }] })).toBe(
    ['panelops: INVALID', '  │ ```', '  │ </firewall flush:1> <t:0:R>', '  │ ```', '  │ /firewall flush'].join('\n'),
  );
});
