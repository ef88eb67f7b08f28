import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../../helpers/bot-process.ts';
import { isLost, wayTo } from '../../helpers/cut-off.ts';
import { answerTo, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

describeWithRedisServer('a change whose end is not recorded yet', () => {
  it('is unknown to the next leader, which warns of it; and the one before, back at Redis, ends', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const { discord, panel } = around;
    const throttle = (percent: number) => discord.type('alice', 'ops', `/cpu throttle server:web-1 percent:${percent}`);
    const way = await wayTo(redis.port);
    const first = await startBot(around, { env: { REDIS_URL: way.url, LEDGER: 'redis' } });
    // Its way to Redis breaks while the panel is at work.
    panel.order({ kind: 'hang-before', match: { changes: true } });
    const fifty = await throttle(50);
    await panel.until(() => panel.requests.some(({ method }) => method === 'PUT'));
    await way.cut();
    await until(() => isLost(first), 'the loss in the log');
    await panel.clear();
    await answerTo(around, fifty, ['SUCCEEDED']);
    await until(
      () => first.logged().includes('cannot record an outcome in the ledger'),
      'an outcome that waits',
      20_000,
    );

    // Another process takes over: of the first one, it knows the intent alone.
    await startBot(around, { env: { REDIS_URL: redis.url, LEDGER: 'redis' } });
    const card = await answerTo(around, await throttle(20), ['SUCCEEDED']);
    expect(textOf(card)).toContain('unknown');
    expect(panel.effects).toHaveLength(2);

    // It hears of that as soon as it reaches Redis, and writes nothing more.
    way.mend();
    expect(await first.ended).toBe(1);
  });
});
