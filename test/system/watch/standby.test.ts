import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { folder, ownRedisServer, surroundings } from '../../helpers/bot-process.ts';
import { answerTo } from '../../helpers/messages.ts';
import { describeWithRedisServer, freePort } from '../../helpers/redis-server.ts';
import { type BotProcess, run } from '../../helpers/stage.ts';
import { readScrape, valueIn } from '../../helpers/watch/scrape.ts';

const bobMay = 'allow: [read, write, "power.*"';

describeWithRedisServer('of two processes with one ledger, the one that stands by', () => {
  it('says so, is not at the gateway, and leads with the policy that it read last', { timeout: 60_000 }, async () => {
    const [{ discord, panel }, redis] = [await surroundings(), await ownRedisServer()];
    const start = async (): Promise<{ bot: BotProcess; url: string; policy: string }> => {
      const [cwd, port] = [folder(), await freePort()];
      const policy = join(cwd, 'policy.yaml');
      copyFileSync(new URL('../../../policy.example.yaml', import.meta.url), policy);
      const bot = run(
        {
          ...{ DISCORD_TOKEN: discord.token, DISCORD_GUILD_ID: discord.guildId, DISCORD_API_URL: discord.apiUrl },
          ...{ PANEL_URL: panel.url, PANEL_TOKEN: panel.token, POLICY_FILE: policy, DATA_DIR: join(cwd, 'data') },
          ...{ REDIS_URL: redis.url, LEDGER: 'redis', HTTP_PORT: String(port) },
        },
        { cwd },
      );
      onTestFinished(async () => void (await bot.end('SIGKILL')));
      return { bot, url: `http://127.0.0.1:${port}`, policy };
    };
    const roleOf = async (url: string): Promise<unknown> => {
      const answer = await fetch(`${url}/readyz`);
      const { ready, role, parts }: { ready: boolean; role: string; parts: object } = JSON.parse(await answer.text());
      return [answer.status, ready, role, Object.keys(parts)];
    };
    const leader = await start();
    await leader.bot.ready();
    const standby = await start();
    await vi.waitFor(async () => expect(await roleOf(standby.url)).toEqual([200, true, 'standby', ['redis']]), 20_000);
    await vi.waitFor(
      async () =>
        expect(await roleOf(leader.url)).toEqual([200, true, 'leader', ['gateway', 'redis', 'ledger', 'canary']]),
      20_000,
    );
    const leads = async ({ url }: { url: string }) =>
      valueIn(readScrape(await (await fetch(`${url}/metrics`)).text()), 'panelops_leader');
    expect([await leads(leader), await leads(standby)]).toEqual([1, 0]);
    const logins = () => discord.requests.filter(({ path }) => path.endsWith('/gateway/bot')).length;
    const before = logins();
    writeFileSync(standby.policy, readFileSync(standby.policy, 'utf8').replace(bobMay, 'allow: [read'));
    standby.bot.child.kill('SIGHUP');
    await vi.waitFor(
      () => expect(standby.bot.stderr()).toContain('the configuration was read again: in force'),
      20_000,
    );
    await leader.bot.end('SIGTERM');
    await standby.bot.ready();
    expect(logins()).toBe(2 * before);
    await answerTo({ discord }, await discord.type('bob', 'ops', '/power boot server:web-1'), ['DENIED'], 'bob');
    const raw = new Redis(redis.url);
    onTestFinished(() => raw.disconnect());
    const kinds = (await raw.xrange('panelops:ledger', '-', '+')).map(([, [, line = '']]) => JSON.parse(line));
    expect(kinds.slice(0, 4)).toMatchObject([
      { kind: 'started' },
      { kind: 'stopped' },
      { kind: 'configured', changed: ['policy.roles'] },
      { kind: 'started' },
    ]);
  });
});
