import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { folder, ownRedisServer, surroundings } from '../../helpers/bot-process.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { run } from '../../helpers/stage.ts';
import { healthOf } from '../../helpers/watch/scrape.ts';

const policy = fileURLToPath(new URL('../../../policy.example.yaml', import.meta.url));
const well = { ok: true };

describeWithRedisServer('a gateway and a worker that share a Redis', () => {
  it('are each ready when all that they need works: the gateway by the canary that the worker takes', async () => {
    const [{ discord, panel }, redis] = [await surroundings(), await ownRedisServer()];
    const start = (role: string): Promise<string> => {
      const dir = folder();
      const env = {
        ...{ DISCORD_TOKEN: discord.token, DISCORD_GUILD_ID: discord.guildId, DISCORD_API_URL: discord.apiUrl },
        ...{ PANEL_URL: panel.url, PANEL_TOKEN: panel.token, POLICY_FILE: policy, DATA_DIR: dir },
        ...{ LEDGER: 'redis', REDIS_URL: redis.url, HTTP_PORT: '0' },
      };
      const bot = run(env, { cwd: dir, args: ['--quiet', `--role=${role}`] });
      onTestFinished(async () => void (await bot.end('SIGKILL')));
      return healthOf(bot);
    };
    const untilAnswers = (url: string, expected: { ready: boolean; parts: object }): Promise<void> =>
      vi.waitFor(async () => expect(await (await fetch(`${url}/readyz`)).json()).toEqual(expected), {
        timeout: 20_000,
        interval: 100,
      });
    const gateway = await start('gateway');
    const problem = 'No worker has taken the canary of the follow-ups yet.';
    const alone = { gateway: well, redis: well, ledger: well, canary: { ok: false, problem } };
    await untilAnswers(gateway, { ready: false, parts: alone });
    const worker = await start('worker');
    await untilAnswers(worker, { ready: true, parts: { redis: well, ledger: well, canary: well } });
    await untilAnswers(gateway, { ready: true, parts: { ...alone, canary: well } });
  }, 60_000);
});
