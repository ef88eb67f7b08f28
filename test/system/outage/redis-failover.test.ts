import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { connectRedis } from '../../../src/redis/connect.ts';
import { openLeading } from '../../helpers/ledger/places.ts';
import { intent, notes } from '../../helpers/ledger/samples.ts';
import { forThis } from '../../helpers/lives.ts';
import { describeEachRedisServer, startRedisServer } from '../../helpers/redis-server.ts';

describeEachRedisServer('A Redis that changes under the bot', (program) => {
  /** As an operator sees it, and as the bot does. */
  async function opened() {
    const server = await startRedisServer({}, program);
    const operator = new Redis(server.url);
    const log = notes();
    const connect = (use?: 'forWorker') => {
      const handle = connectRedis(server.url, log, use);
      onTestFinished(() => handle.close());
      return handle;
    };
    onTestFinished(async () => {
      operator.disconnect();
      await server.stop();
    });
    const handle = connect();
    await handle.ready();
    return { server, operator, log, connect, handle };
  }

  const isReplica = 'REDIS_URL leads to a replica, which takes no writes';

  it('is left when it becomes a replica, and used again when it takes writes, with a line for each', async () => {
    const { operator, log, handle } = await opened();
    let returns = 0;
    handle.onReturn(() => {
      returns += 1;
    });
    await handle.redis.set('a', '1');
    const connections = async (): Promise<number> =>
      Number(/total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1]);
    const before = await connections();
    await operator.replicaof('127.0.0.1', 1);
    await expect.poll(() => handle.redis.set('a', '2').catch(String)).toMatch(/READONLY|writeable/);
    await expect.poll(() => log.messages).toContain(isReplica);
    // Every try is another connection, each a little later.
    await expect.poll(async () => (await connections()) - before).toBeGreaterThan(4);
    for (let at = 0; at < 200; at += 1) await handle.redis.set('a', '3').catch(() => undefined);
    expect(await operator.get('a')).toBe('1');
    await operator.replicaof('NO', 'ONE');
    await handle.ready();
    await handle.redis.set('a', '4');
    expect(log.messages).toEqual(['Redis connection lost', isReplica, 'Redis is back']);
    expect(returns).toBe(1);
  });

  it.each([
    ['appendfsync', 'no', 'always'],
    ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ])('refuses entries from when it could lose them: %s %s', async (name, unsafe, safe) => {
    const { operator, handle } = await opened();
    const ledger = await forThis(openLeading({ redis: handle.redis, log: notes(), judgeEvery: 0 }));
    await ledger.append([intent('a.1')]);
    await operator.config('SET', name, unsafe);
    expect(await ledger.append([intent('a.2')]).catch((error) => error.cause.name)).toBe('LedgerUnsafe');
    await operator.config('SET', name, safe);
    await ledger.append([intent('a.2')]);
    expect(ledger.head().seq).toBe(2);
  });

  it('refuses entries while its memory is full, says so once, and takes them again', async () => {
    const { operator, handle } = await opened();
    const lines: string[] = [];
    const log = {
      ...notes(),
      error: (facts: object, words: string) => lines.push(`${words} ${JSON.stringify(facts)}`),
    };
    const ledger = await forThis(openLeading({ redis: handle.redis, log }));
    await ledger.append([intent('a.1')]);
    await operator.config('SET', 'maxmemory', '1');
    for (let at = 0; at < 20; at += 1)
      expect(await ledger.append([intent('a.2')]).catch((error) => error.name)).toBe('LedgerUnavailable');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the ledger cannot be written {"problem":"ReplyError: OOM');
    await operator.config('SET', 'maxmemory', '0');
    await ledger.append([intent('a.2')]);
    expect(ledger.head().seq).toBe(2);
  });
});
