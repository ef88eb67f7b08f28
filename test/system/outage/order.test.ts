import { expect, it } from 'vitest';
import { ownRedisServer, startBot, surroundings } from '../../helpers/bot-process.ts';
import { words } from '../../helpers/card-text.ts';
import { isLost, wayTo } from '../../helpers/cut-off.ts';
import { answerTo, stateOf, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

describeWithRedisServer('a change whose end is not recorded yet', () => {
  it('is not overtaken by the next change of the same server', async () => {
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

    // Another process comes up: of the first one, it knows the intent alone.
    await startBot(around, { env: { REDIS_URL: redis.url, LEDGER: 'redis' } });
    const twenty = await throttle(20);
    const ofOther = () =>
      discord
        .messages('alice', 'ops')
        .find((one) => one.answers === twenty && !/^(WORK|UNAV)/.test(words(one.content)));
    const card = await until(ofOther, 'the card of the other one', 30_000);
    expect(stateOf(card)).toBe('BLOCKED');
    expect(textOf(card)).toContain('`alice` began `/cpu throttle`');
    expect(panel.effects).toHaveLength(1);

    way.mend();
    const done = async () =>
      stateOf(await answerTo(around, await throttle(30), ['SUCCEEDED', 'BLOCKED', 'UNAVAILABLE']));
    await expect.poll(done, { timeout: 30_000 }).toBe('SUCCEEDED');
  });
});
