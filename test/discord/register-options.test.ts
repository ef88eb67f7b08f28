import { REST } from 'discord.js';
import { expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { register, registration } from '../../src/discord/register.ts';
import { quietLog } from '../helpers/messages.ts';
import { discordForAll } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForAll();

it('asks Discord for a user where a command wants one, required options first', () => {
  const followUps = registration(commands, () => true).find(({ name }) => name === 'follow-ups');
  const options = followUps?.options.map((each) => ({
    name: each.name,
    options: 'options' in each ? each.options.map(({ name, type, ...rest }) => [name, type, 'required' in rest]) : [],
  }));
  expect(options).toEqual([
    { name: 'list', options: [['server', 3, false]] },
    {
      name: 'stop',
      options: [
        ['server', 3, true],
        ['id', 3, false],
      ],
    },
    {
      name: 'ended',
      options: [
        ['server', 3, true],
        ['how', 3, true],
        ['id', 3, false],
      ],
    },
    {
      name: 'hand-over',
      options: [
        ['server', 3, true],
        ['user', 6, true],
        ['id', 3, false],
      ],
    },
  ]);
});

it('is taken by Discord once, and not sent again while nothing differs', async () => {
  const rest = new REST({ api: discord.apiUrl }).setToken(discord.token);
  const wanted = { commands, isGiven: () => true, log: quietLog };
  await register(rest, discord.applicationId, discord.guildId, wanted);
  await register(rest, discord.applicationId, discord.guildId, wanted);
  const registrations = discord.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/commands'));
  expect(registrations).toHaveLength(1);
});

it('says of which zone a time is, in what Discord takes', () => {
  const descriptions = (zone?: string): string[] =>
    registration(commands, () => true, zone).flatMap(({ options }) =>
      options.flatMap((each) => ('options' in each ? each.options.map(({ description }) => description) : [])),
    );
  expect(descriptions()).toContain('Back to when: yesterday 22:00, 22:00 or 6h; by disk: 0=22:00,1=6h (UTC)');
  // The longest name that there is.
  const longest = descriptions('America/Argentina/ComodRivadavia');
  expect(longest).toContain('Since when: 2h, 3d, 22:00 or yesterday 22:00 (America/Argentina/ComodRivadavia)');
  expect(longest.filter((each) => each.length > 100)).toEqual([]);
});
