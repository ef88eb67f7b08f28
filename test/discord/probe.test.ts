import { describe, expect, it, onTestFinished } from 'vitest';
import { type DiscordPlace, probeDiscord } from '../../src/discord/probe.ts';
import { type DiscordFault, type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';

async function discordHere(): Promise<SandboxDiscord> {
  const discord = await startDiscord();
  onTestFinished(() => discord.close());
  return discord;
}

const probe = ({ token, apiUrl, guildId: guild }: SandboxDiscord) => probeDiscord({ token, apiUrl, guild });

async function guildIn(discord: SandboxDiscord) {
  const found = await probe(discord);
  if (found.state !== 'ok' || found.guild === undefined || found.guild === 'absent')
    throw new Error('no guild was found');
  return found.guild;
}

describe('a probe of Discord', () => {
  it('tells who the bot is, where it is, and that nothing is missing', async () => {
    const discord = await discordHere();
    discord.inviteElsewhere('another');
    const found = await probe(discord);
    expect(found).toMatchObject({
      state: 'ok',
      bot: { id: discord.botUserId, name: 'panelops' },
      application: { id: discord.applicationId },
      guilds: [{ id: '1100000000000000001' }, { name: 'another' }],
      guild: { id: '1100000000000000001', commands: [] },
    });
    const guild = await guildIn(discord);
    expect(guild.roles.map(({ name, managed }) => [name, managed])).toEqual([
      ['panelops', true],
      ['lead', false],
      ['on-call', false],
      ['viewer', false],
    ]);
    expect(guild.channels.map(({ name, isText, lacks }) => [name, isText, lacks])).toEqual(
      Object.keys(discord.channels).map((name) => [name, true, []]),
    );
    expect(Math.abs(found.skew ?? Number.NaN)).toBeLessThan(20_000);
  });

  it.each([
    ['send', ['Send Messages']],
    ['view', ['View Channel', 'Send Messages']],
    ['embed', ['Embed Links']],
    ['files', ['Attach Files']],
    ['history', ['Read Message History']],
    ['threads', ['Create Public Threads', 'Send Messages in Threads']],
    ['pin', ['Pin Messages']],
  ] as const)('names what the bot may not do in one channel: %s', async (right, lacks) => {
    const discord = await discordHere();
    discord.order({ kind: 'forbid-channel', channel: 'ops', right });
    const { channels } = await guildIn(discord);
    expect(channels.filter((channel) => channel.lacks.length > 0)).toEqual([
      { id: discord.channels.ops, name: 'ops', isText: true, lacks, mentionsRoles: true },
    ]);
  });

  it.each<[string, Partial<DiscordPlace>, DiscordFault | undefined, object]>([
    ['no guild that the bot is not in', { guild: '1100000000000000009' }, undefined, { state: 'ok', guild: 'absent' }],
    ['a token that Discord refuses', { token: 'another' }, undefined, { state: 'unauthorized' }],
    ['that Discord does not answer', {}, { kind: 'outage' }, { state: 'unreachable' }],
    [
      'that the bot may have no commands in the guild',
      {},
      {
        ...{ kind: 'status', status: 403, body: { message: 'Missing Access', code: 50001 } },
        match: { path: '/applications/1000000000000000001/guilds/1100000000000000001/commands' },
      },
      { state: 'ok', guild: { commands: undefined } },
    ],
  ])('finds %s', async (_what, place, fault, found) => {
    const discord = await discordHere();
    if (fault !== undefined) discord.order(fault);
    const { token, apiUrl, guildId: guild } = discord;
    expect(await probeDiscord({ token, apiUrl, guild, ...place })).toMatchObject(found);
  });

  it('does not take one odd 401 for a refusal', async () => {
    const discord = await discordHere();
    discord.order({ kind: 'status', status: 401, body: { message: '401: Unauthorized', code: 0 } });
    expect(await probe(discord)).toMatchObject({ state: 'unreachable' });
  });
});
