import { expect, test } from 'vitest';
import { forEach } from '../../helpers/lives.ts';
import { call, discordForEach, identified, interaction, type Json } from '../../helpers/sandbox/discord/raw.ts';

const NAME = 'Add to incident timeline';
const discord = discordForEach();
const bot = forEach(() => identified(discord));

const register = <T = Json[]>(commands: unknown[]) =>
  call<T>(discord, 'PUT', `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`, commands);

/** bob's message, and alice's use of the command on it. */
async function used() {
  const target = await discord.type('bob', 'ops', 'the disk filled up at 21:40');
  const used = await discord.menu('alice', target, NAME);
  const { id, token } = await interaction(bot);
  return { target, used, id, callback: `/interactions/${id}/${token}/callback` };
}

test('a message command may have the name of a typed one, in words', async () => {
  const typed = { name: 'timeline', description: 'Shows it' };
  expect(await register([typed, { type: 3, name: 'timeline' }, { type: 3, name: NAME }])).toMatchObject({
    status: 200,
    json: [{ type: 1 }, { type: 3, name: 'timeline', description: '' }, { type: 3, name: NAME }],
  });
});

test('its interaction carries the message with its content, without the intent', async () => {
  const [command] = (await register([{ type: 3, name: NAME }])).json;
  const { target, used: answered } = await used();
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d).toMatchObject({
    id: answered,
    type: 2,
    channel: { id: '1300000000000000001', type: 0 },
    member: { user: { username: 'alice' } },
    data: {
      id: command?.id,
      type: 3,
      name: NAME,
      target_id: target,
      resolved: {
        messages: { [target]: { id: target, content: 'the disk filled up at 21:40', author: { username: 'bob' } } },
      },
    },
  });
});

test('its answer says who used what on which message', async () => {
  await register([{ type: 3, name: NAME }]);
  const { target, id, callback } = await used();
  const { json } = await call(discord, 'POST', `${callback}?with_response=true`, {
    type: 4,
    data: { content: 'kept' },
  });
  expect(json['resource']).toMatchObject({
    message: {
      type: 23,
      message_reference: { message_id: target },
      referenced_message: { id: target },
      interaction_metadata: { type: 2, name: NAME, command_type: 3, target_message_id: target },
    },
  });
  expect(discord.view('carol', 'ops')).toBe(
    'bob: the disk filled up at 21:40\n\nalice used Add to incident timeline\npanelops: kept',
  );
  expect(discord.messages('carol', 'ops')[1]).toMatchObject({
    answers: id,
    usedBy: 'alice',
    replyTo: target,
    pinged: [],
  });
});

test('it has no message to update, and may open a form', async () => {
  await register([{ type: 3, name: NAME }]);
  const { callback } = await used();
  expect((await call(discord, 'POST', callback, { type: 7, data: { content: 'x' } })).json.code).toBe(50035);
  const note = { type: 4, custom_id: 'note', style: 1, label: 'Note' };
  const form = { custom_id: 'add', title: 'Add', components: [{ type: 1, components: [note] }] };
  expect((await call(discord, 'POST', callback, { type: 9, data: form })).status).toBe(204);
  expect(discord.modalOf('alice')).toMatchObject({ title: 'Add' });
});

test('a person is offered the commands that there are for them, on messages that they share', async () => {
  await register([
    { type: 3, name: NAME },
    { type: 3, name: 'Hidden', default_member_permissions: '0' },
    { name: 'typed', description: 'x' },
  ]);
  const target = await discord.type('bob', 'ops', 'x');
  for (const name of ['Hidden', 'typed']) {
    await expect(discord.menu('alice', target, name)).rejects.toThrow(
      `${name}: there is no such app. There is: Add to incident timeline.`,
    );
  }
  await expect(discord.menu('alice', '1', NAME)).rejects.toThrow('alice sees no message 1.');
  await discord.menu('alice', target, NAME);
  const { id, token } = await interaction(bot);
  const data = { content: 'for you', flags: 64 };
  await call(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 4, data });
  const [, own] = discord.messages('alice', 'ops');
  await expect(discord.menu('alice', own?.id ?? '', NAME)).rejects.toThrow(
    'A message that only one person sees has no apps.',
  );
});

test('nobody answers: the person sees that', async () => {
  await register([{ type: 3, name: NAME }]);
  bot.ws.close(1000);
  await bot.closed;
  await discord.menu('alice', await discord.type('bob', 'ops', 'x'), NAME);
  expect(discord.view('alice', 'ops')).toBe(
    'bob: x\n\nalice used Add to incident timeline\npanelops: The application did not respond\n  (only alice sees this)',
  );
});
