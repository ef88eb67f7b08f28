import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../../helpers/bot-process.ts';
import { isLost, wayTo } from '../../helpers/cut-off.ts';
import { answerTo, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

describeWithRedisServer('without the Redis of its ledger', () => {
  it('a bot that was asked what is wrong says so, and lives on', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const way = await wayTo(redis.port);
    const bot = await startBot(around, { env: { REDIS_URL: way.url, LEDGER: 'redis' } });
    await way.cut();
    await until(() => isLost(bot), 'the loss in the log');
    const id = await around.discord.type('bob', 'ops', '/panel check');
    expect(textOf(await answerTo(around, id, ['SUCCEEDED'], 'bob'))).toContain(
      '**Nothing may change.** Redis cannot be reached.',
    );
    let end: unknown;
    void bot.ended.then((how) => {
      end = how;
    });
    // A probe of the ledger may take 3 seconds.
    await expect(until(() => end, 'its end', 4_000)).rejects.toThrow('its end');
  });
});
