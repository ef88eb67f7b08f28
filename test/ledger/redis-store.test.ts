import { expect, onTestFinished, test } from 'vitest';
import { verify } from '../../src/ledger/chain.ts';
import type { Log } from '../../src/outcome.ts';
import { connection, failure, openLeading, ownServer, redisPlace } from '../helpers/ledger/places.ts';
import { intent, notes, outcome } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const numbers = Array.from({ length: 100 }, (_, at) => at + 1);

describeWithRedisServer('A Redis that could lose the ledger', () => {
  const server = ownServer();

  async function openWith(settings: Record<string, string>, log: Log = notes()) {
    await server.restart(settings);
    return openLeading({ redis: await connection(server.url), log });
  }

  test.each([
    [{ appendonly: 'no' }, /appendonly is no.*Set "appendonly yes" and "appendfsync always"/],
    [{ appendfsync: 'no' }, /appendfsync is no\. Set "appendonly yes" and "appendfsync always"/],
    [{ 'maxmemory-policy': 'allkeys-lru' }, /maxmemory-policy is allkeys-lru.*"noeviction"/],
  ])('is refused at the start: %j', async (settings, words) => {
    await expect(openWith(settings)).rejects.toMatchObject({
      name: 'LedgerUnsafe',
      message: expect.stringMatching(words),
    });
  });

  test('is refused when it comes back with other settings, each in the log, until they are right again', async () => {
    const problems: string[] = [];
    const ledger = await openWith({}, { ...notes(), error: (facts) => void problems.push(JSON.stringify(facts)) });
    onTestFinished(() => ledger.close());
    await ledger.append([intent('a.1')]);
    for (const [wrong, is] of [
      ['appendfsync', 'no'],
      ['maxmemory-policy', 'allkeys-lru'],
    ] as const) {
      await server.restart({ [wrong]: is });
      await expect.poll(() => ledger.append([outcome('a.1')]).catch((error) => error.cause.name)).toBe('LedgerUnsafe');
      expect(problems.filter((problem) => problem.includes(`${wrong} is ${is}`))).toHaveLength(1);
    }
    await server.restart({ appendfsync: 'always' });
    await expect.poll(() => ledger.append([outcome('a.1')]).catch(() => undefined)).toHaveLength(1);
    expect(ledger.head().seq).toBe(2);
  });
});

describeWithRedisServer('A ledger in Redis that is not as it was left', () => {
  const server = ownServer();

  test.each([
    [
      'gone',
      async (place: Place) => void (await place.redis.del(`${place.prefix}ledger`, `${place.prefix}ledger-head`)),
    ],
    ['gone but for its head', async (place: Place) => void (await place.redis.del(`${place.prefix}ledger`))],
    ['without its head', async (place: Place) => void (await place.redis.del(`${place.prefix}ledger-head`))],
    ['shorter', async (place: Place) => place.write((await place.lines()).slice(0, 1))],
    ['without its last entry', async (place: Place) => void (await place.redis.xdel(`${place.prefix}ledger`, '2-0'))],
    ['another one of the same length', async (place: Place) => place.write(await otherChain(2))],
    ['another one that is longer', async (place: Place) => place.write(await otherChain(3))],
  ])('takes nothing when it is %s, and goes on when it is as it was', async (_what, harm) => {
    const place = redisPlace(server.url);
    const log = notes();
    const ledger = await place.open(log);
    expect(log.messages).toEqual(['ledger in Redis is empty; starting a new chain', 'this process leads']);
    await ledger.append([intent('a.1'), intent('a.2')]);
    const head = ledger.head();
    const whole = await place.lines();
    await harm(place);
    const harmed = await place.lines();
    for (const _attempt of ['first', 'second']) {
      const refused = ledger.append([outcome('a.1')]).catch((error) => [error.name, error.cause.name]);
      expect(await refused).toEqual(['LedgerUnavailable', 'LedgerDamaged']);
    }
    expect(await failure(ledger.settle())).toBe('LedgerUnavailable');
    expect(ledger.head()).toEqual(head);
    expect(await place.lines()).toEqual(harmed);
    expect(log.messages.slice(2)).toEqual(['the ledger cannot be written']);
    await place.write(whole);
    await ledger.append([outcome('a.1')]);
    expect(verify(await place.lines())).toMatchObject({ ok: true, count: 3 });
  });

  test('says in the log what is wrong with it', async () => {
    const place = redisPlace(server.url);
    const problems: object[] = [];
    const log = { ...notes(), error: (facts: object) => problems.push(facts) };
    const ledger = await openLeading({ redis: await connection(server.url), log, prefix: place.prefix });
    await ledger.append([intent('a.1')]);
    await place.redis.del(`${place.prefix}ledger`, `${place.prefix}ledger-head`);
    await failure(ledger.append([outcome('a.1')]));
    expect(JSON.stringify(problems)).toContain('it ends at entry 0, but entry 1 was written');
  });

  type Place = ReturnType<typeof redisPlace>;

  async function otherChain(length: number): Promise<string[]> {
    const other = redisPlace(server.url);
    const ledger = await other.open();
    await ledger.append(numbers.slice(0, length).map((number) => intent(`other.${number}`)));
    return other.lines();
  }
});
