import { REST, Routes } from 'discord.js';
import { expect, it, onTestFinished } from 'vitest';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';

const roleId = '1200000000000000001';
const channel = '1300000000000000001';

async function discordWith(plan: { mentionable?: boolean; type?: number }) {
  const discord = await startDiscord({
    guild: {
      ...{ id: '1100000000000000001', name: 'Sandbox' },
      roles: [{ id: roleId, name: 'lead', mentionable: plan.mentionable ?? true }],
      channels: [{ id: channel, name: 'ops', topic: '', type: plan.type ?? 0 }],
      people: [
        { id: '1400000000000000001', name: 'alice', role: 'lead' },
        { id: '1400000000000000002', name: 'bob' },
      ],
    },
  });
  onTestFinished(() => discord.close());
  const rest = new REST({ api: discord.apiUrl, retries: 0 }).setToken(discord.token);
  const post = (content: string, roles: string[] = [roleId]) =>
    rest.post(Routes.channelMessages(channel), { body: { content, allowed_mentions: { parse: ['everyone'], roles } } });
  const pinged = () => discord.messages('alice', 'ops').at(-1)?.pinged;
  return { discord, post, pinged };
}

it.each([
  ['mentionable', true, true, ['alice'], ['alice']],
  ['not mentionable', false, true, ['alice'], ['alice']],
  ['mentionable, without Mention Everyone', true, false, ['alice'], []],
  ['not mentionable, without Mention Everyone', false, false, [], []],
] as const)('A role that is %s', async (_what, mentionable, mayMention, byRole, byEveryone) => {
  const { discord, post, pinged } = await discordWith({ mentionable });
  if (!mayMention) discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'mention' });
  await post(`<@&${roleId}> look`);
  expect(pinged()).toEqual(byRole);
  await post('@here look');
  expect(pinged()?.filter((name) => name === 'alice')).toEqual(byEveryone);
});
