import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../helpers/here.ts';
import { stageForAll } from '../helpers/stage.ts';
import { canaries } from '../helpers/surroundings.ts';

const stage = stageForAll();

const register = (more: Record<string, string> = {}) =>
  runHere(['register'], { ...stage.env, REGISTER: 'off', LOG_LEVEL: 'warn', ...more }, stage.cwd);

const writes = () => stage.discord.requests.filter(({ method }) => method === 'PUT').length;

describe('panelops register', () => {
  it('registers the commands, says which, and writes nothing where they are there', async () => {
    const first = await register();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(
      /^added: panel, server, hypervisors, firewall, .*, help, can, Add to incident timeline\n$/,
    );
    expect(writes()).toBe(1);
    expect(await register()).toEqual({
      code: 0,
      stdout: 'The commands are registered already; nothing was changed.\n',
      stderr: '',
    });
    expect(writes()).toBe(1);
    expect(stage.discord.requests.some(({ path }) => path.endsWith('/gateway/bot'))).toBe(false);
  });

  it('says what it changed, and what it removed', async () => {
    const path = `/applications/${stage.discord.applicationId}/guilds/${stage.discord.guildId}/commands`;
    const old = [
      { type: 1, name: 'help', description: 'What it was once' },
      { type: 1, name: 'forgotten', description: 'Of an older version' },
    ];
    await fetch(`${stage.discord.apiUrl}/v10${path}`, {
      method: 'PUT',
      headers: { authorization: `Bot ${canaries.discord}`, 'content-type': 'application/json' },
      body: JSON.stringify(old),
    });
    const { stdout } = await register();
    expect(stdout).toMatch(/^added: panel, .*\nchanged: help\nremoved: forgotten\n$/);
  });

  it.each([
    [{ DISCORD_TOKEN: `${canaries.discord}-wrong` }, 77, 'Discord refused the bot: the token is not valid.'],
    [{ DISCORD_GUILD_ID: '1100000000000000002' }, 78, 'This id is that of policy.example.yaml'],
    [{ DISCORD_GUILD_ID: '1100000000000000002', POLICY_FILE: 'own.yaml' }, 78, 'the bot is not in this guild'],
    [{ DISCORD_API_URL: 'http://127.0.0.1:1/api' }, 1, 'Discord cannot be reached.'],
    [{ DISCORD_TOKEN: 'sandbox' }, 78, "The sandbox's Discord registers the commands at each start."],
    [{ PANEL_TOKEN: '' }, 78, 'PANEL_TOKEN'],
  ])('with %j ends with %i, in one line', async (more, code, words) => {
    writeFileSync(join(stage.cwd, 'own.yaml'), `roles: [{ role: "1450000000000000001", name: lead, allow: ["*"] }]\n`);
    const ended = await register(more);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(words);
  });
});
