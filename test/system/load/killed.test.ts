import { expect, it } from 'vitest';
import { connectRedis } from '../../../src/redis/connect.ts';
import { crowd, statuses } from '../../helpers/follow-ups/crowd.ts';
import { openLeading } from '../../helpers/ledger/places.ts';
import { quietLog } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { startBot } from '../../helpers/stage.ts';

describeWithRedisServer('1,000 follow-ups', () => {
  it('go on at the standby, within two rounds, when the leader is killed', async () => {
    const all = await crowd();
    const redis = await ownRedisServer();
    const handle = connectRedis(redis.url, quietLog);
    await handle.ready();
    const ledger = await openLeading({ redis: handle.redis, log: quietLog });
    await all.record(ledger);
    await ledger.close();
    await handle.close();

    // So that looks are under way when it is killed.
    all.panel.order({ kind: 'delay', ms: 500, match: { path: '/jobs/' }, times: 0 });
    const worker = { env: { REDIS_URL: redis.url, LEDGER: 'redis', LOG_LEVEL: 'warn' } };
    const killed = await startBot(all, worker);
    const standby = startBot(all, worker);
    await all.panel.until(() => all.panel.requests.length >= 400, 60_000);
    const cutOff = all.panel.until(() => {
      const open = all.panel.requests.filter(({ status, ms }) => status === undefined && ms !== undefined);
      return open.length > 0;
    });
    const before = all.looks().length;
    const whole = all.allLooked(all.panel.requests.length, 90_000);
    await killed.end('SIGKILL');
    await cutOff;
    await standby;
    await whole;

    // Two rounds are 2,000 looks: those that were cut off come again in the second.
    expect(all.looks().length - before).toBeLessThan(2_000);
    expect(statuses(all).filter((status) => status !== undefined)).toEqual([200]);
  });
});
