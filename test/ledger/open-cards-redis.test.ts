import { describe, expect, onTestFinished, test } from 'vitest';
import type { OpenCard } from '../../src/ledger/open-cards.ts';
import { redisOpenCards } from '../../src/ledger/open-cards-redis.ts';
import { ownRedis } from '../redis/instance.ts';
import { describeWithRedisServer } from '../redis-server.ts';
import { connection, ownServer } from './places.ts';
import { notes } from './samples.ts';

const card: OpenCard = {
  interaction: '1500000000000000001',
  token: 'aW50ZXJhY3Rpb246c2VjcmV0',
  at: 1_795_125_600_000,
  audience: 'public',
  actor: { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  place: { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' },
  command: 'firewall.flush',
  options: { server: 'web-1', sync: true },
  owner: 'process-1',
  runs: [{ run: '9kq3v1x7m2a.1', server: { id: 101, name: 'web-1', tier: 'production' } }],
};
const older = { ...card, interaction: '1500000000000000002', at: card.at - 1_000 };

describe('The open cards in Redis', () => {
  const { connect } = ownRedis();
  const stores = async (prefix: string, log = notes()) => [
    redisOpenCards(await connect(), log, { prefix }),
    redisOpenCards(await connect(), log, { prefix }),
  ];

  test('are seen by every process, the oldest first, until they are removed', async () => {
    const [one, two] = await stores('a:');
    one?.put(card);
    one?.put(older);
    one?.put({ ...card, interaction: '1500000000000000003' });
    one?.remove({ ...card, interaction: '1500000000000000003' });
    expect(await one?.list()).toEqual([older, card]);
    expect(await two?.list()).toEqual([older, card]);
    two?.remove(older);
    expect(await two?.list()).toEqual([card]);
  });

  test('are replaced by a later state of the same card', async () => {
    const [one, two] = await stores('b:');
    one?.put({ ...card, runs: [] });
    one?.put(card);
    expect(await one?.list()).toEqual([card]);
    expect(await two?.list()).toEqual([card]);
  });

  test('are kept apart when two processes were given the same interaction', async () => {
    const [one, two] = await stores('e:');
    one?.put(card);
    two?.put({ ...card, owner: 'process-2' });
    expect((await one?.list())?.map(({ owner }) => owner).sort()).toEqual(['process-1', 'process-2']);
    two?.remove({ ...card, owner: 'process-2' });
    expect(await two?.list()).toEqual([card]);
  });

  test('are not listed when they were removed while the list was under way', async () => {
    const [one] = await stores('c:');
    one?.put(card);
    await one?.list();
    const list = one?.list();
    // By then Redis was asked, and has not answered.
    await new Promise((asked) => process.nextTick(asked));
    one?.remove(card);
    expect(await list).toEqual([]);
  });

  test('are skipped with a warning when they are damaged, and the warning quotes nothing of them', async () => {
    const warnings: string[] = [];
    const log = {
      ...notes(),
      warn: (facts: object, message: string) => warnings.push(JSON.stringify({ facts, message })),
    };
    const redis = await connect();
    const cards = redisOpenCards(redis, log, { prefix: 'd:' });
    cards.put(card);
    await redis.hset('d:open-cards', '1', JSON.stringify(card).slice(0, 90));
    await redis.hset('d:open-cards', '2', JSON.stringify(card).replace('"public"', '"everybody"'));
    expect(await cards.list()).toEqual([card]);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).not.toContain('aW50ZXJhY3Rpb246');
  });
});

describeWithRedisServer('The open cards of a process whose Redis goes away', () => {
  const server = ownServer();

  test('are still listed there, and reach Redis as they are then when it is back', async () => {
    const log = notes();
    const redis = await connection(server().url);
    const cards = redisOpenCards(redis, log);
    cards.put(card);
    cards.put({ ...card, interaction: '1500000000000000004' });
    expect(await cards.list()).toHaveLength(2);
    await server().kill();
    onTestFinished(() => server().restart());
    cards.remove({ ...card, interaction: '1500000000000000004' });
    cards.put(older);
    expect(await cards.list()).toEqual([older, card]);
    expect(log.messages).toEqual(['open cards cannot be stored in Redis']);
    await server().restart();
    const other = redisOpenCards(await connection(server().url), notes());
    await expect.poll(() => other.list(), { timeout: 10_000 }).toEqual([older, card]);
  });
});
