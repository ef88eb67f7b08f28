import { afterEach, expect, it } from 'vitest';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

it('is the guild that it was told to be: its people, roles and channels', async () => {
  const discord = await startDiscord({
    guild: {
      id: '1100000000000000077',
      name: 'Night shift',
      roles: [{ id: '1200000000000000071', name: 'keeper' }],
      channels: [{ id: '1300000000000000071', name: 'desk', topic: '' }],
      people: [
        { id: '1400000000000000071', name: 'dora', role: 'keeper' },
        { id: '1400000000000000072', name: 'emil' },
      ],
    },
  });
  closing.push(discord.close);
  expect(discord.guildId).toBe('1100000000000000077');
  expect(discord.channels.desk).toBe('1300000000000000071');
  expect(discord.people.dora.roles).toEqual(['1200000000000000071']);
  await discord.type('dora', 'desk', 'anybody here?');
  expect(discord.messages('emil', 'desk').map(({ author, content }) => [author, content])).toEqual([
    ['dora', 'anybody here?'],
  ]);
  const me = { headers: { authorization: `Bot ${discord.token}` } };
  const guild = await fetch(`${discord.apiUrl}/v10/guilds/${discord.guildId}`, me);
  expect(await guild.json()).toMatchObject({ id: '1100000000000000077', name: 'Night shift' });
});
