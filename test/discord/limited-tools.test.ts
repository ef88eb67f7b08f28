import { beforeAll, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { verify } from '../../src/audit/verify.ts';
import { checks } from '../../src/check/list.ts';
import type { Probes } from '../../src/check/probes.ts';
import { probeDiscord } from '../../src/discord/probe.ts';
import { registerOnce } from '../../src/discord/register-once.ts';
import { Limited } from '../../src/outcome.ts';
import { quietLog } from '../helpers/messages.ts';
import { discordForAll } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForAll();
beforeAll(() => {
  discord.order({ kind: 'rate-limit', retryAfterMs: 40_000_000, times: 1_000 });
});

const place = () => ({ token: discord.token, apiUrl: discord.apiUrl, guild: discord.guildId });
const until = /^Discord limits \S+ \S+\. It takes them again at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/;

it('panelops register ends with the time from which Discord takes it', async () => {
  const registering = registerOnce({ ...place(), commands, isGiven: () => true, log: quietLog });
  await expect(registering).rejects.toBeInstanceOf(Limited);
  await expect(registering).rejects.toThrow(until);
});

it('panelops check says so instead of a Discord that cannot be reached', async () => {
  const found = await probeDiscord(place());
  expect(found).toMatchObject({ state: 'limited', words: expect.stringMatching(until) });
  // The only probe of this check.
  const probes = { discord: () => Promise.resolve(found) } as unknown as Probes;
  const line = await checks.find(({ id }) => id === 'discord-token')?.run(probes);
  expect(line).toMatchObject({ state: 'wrong', words: { markup: expect.stringContaining('It takes them again at') } });
});

it('panelops audit verify says that the channel was not compared, and until when', async () => {
  const said: string[] = [];
  const code = await verify({
    read: () => Promise.resolve({ entries: [], head: { seq: 0, hash: '' } }),
    channel: { ...place(), id: discord.channels.audit },
    out: (text) => said.push(text),
  });
  expect(code).toBe(1);
  expect(said.join('')).toContain('It takes them again at');
});
