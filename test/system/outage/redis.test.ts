import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../../helpers/bot-process.ts';
import { answerTo, changes, stateOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

describeWithRedisServer('a process whose ledger is in a Redis', () => {
  it.each(['killed', 'frozen'] as const)(
    'gives every command its card while that is %s, and works again after',
    {
      timeout: 60_000,
    },
    async (state) => {
      const [around, redis] = [await surroundings(), await ownRedisServer()];
      const bot = await startBot(around, { env: { REDIS_URL: redis.url, LEDGER: 'redis' } });
      const backs = (): number => bot.logged().match(/"level":30,.*"Redis is back"/g)?.length ?? 0;
      if (state === 'killed') await redis.kill();
      else redis.freeze();
      for (const round of ['the first', 'the second']) {
        const from = performance.now();
        const [change, read] = await Promise.all([
          around.discord.type('alice', 'ops', '/firewall enable server:web-1,web-2,web-3'),
          around.discord.type('alice', 'ops', '/firewall show server:web-1'),
        ]);
        await Promise.all([answerTo(around, change, ['UNAVAILABLE']), answerTo(around, read, ['SUCCEEDED'])]);
        expect(performance.now() - from, round).toBeLessThan(6_000);
      }
      if (state === 'killed') await redis.restart();
      else redis.thaw();
      await until(() => backs() === 1, 'Redis is back');
      const work = async (): Promise<string> => {
        const id = await around.discord.type('alice', 'ops', '/firewall enable server:web-1');
        return stateOf(await answerTo(around, id, ['SUCCEEDED', 'UNAVAILABLE']));
      };
      await expect.poll(work, { timeout: 3_000 }).toBe('SUCCEEDED');
      expect(changes(around)).toHaveLength(1);
    },
  );
});
