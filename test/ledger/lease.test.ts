import { describe, expect, onTestFinished, test } from 'vitest';
import { createLease, isOlder, patienceWith } from '../../src/ledger/lease.ts';
import type { Deposed } from '../../src/ledger/ledger.ts';
import { openRedisLedger, type RedisLedger } from '../../src/ledger/redis-store.ts';
import { startFront } from '../helpers/ledger/front.ts';
import { connection, failure, ownServer, redisPlace } from '../helpers/ledger/places.ts';
import { intent, notes, outcome } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const pace = { renew: 2_000, look: 250, patience: 10_000, safe: 6_000 };

/** A leader whose clocks stand until they are moved, and what its Redis does with a renewal: takes it, unless told otherwise. */
function leader() {
  const clocks = { monotonic: 0, uptime: 0, wall: 0 };
  const said: string[] = [];
  const redis = { takes: (lease: string): Promise<unknown> => Promise.resolve(lease) };
  const lease = createLease({
    redis: {
      eval: (...args: unknown[]) => redis.takes(String(args[4])),
    },
    ...{ key: 'lease', holder: { id: 'a', version: '0.1.0' }, pace },
    clocks: () => Object.values(clocks),
    onDeposed: ({ message }) => said.push(message),
  });
  const passes = (ms: number): void => {
    for (const name of ['monotonic', 'uptime', 'wall'] as const) clocks[name] += ms;
  };
  return { lease, redis, clocks, passes, said };
}

describe('A lease', () => {
  test('holds for six seconds from when its last acknowledged renewal was sent', async () => {
    const { lease, redis, passes } = leader();
    expect(lease.isHeld()).toBe(false);
    await lease.renew();
    passes(5_999);
    expect(lease.isHeld()).toBe(true);
    passes(1);
    expect(lease.isHeld()).toBe(false);
    let answer = (): void => undefined;
    redis.takes = (text) =>
      new Promise((resolve) => {
        answer = () => resolve(text);
      });
    const renewal = lease.renew();
    passes(4_000);
    answer();
    await renewal;
    passes(1_999);
    expect(lease.isHeld()).toBe(true);
    passes(1);
    expect(lease.isHeld()).toBe(false);
  });

  // The first stands while a machine sleeps, the last is set by hand, and not all of them go on in a container that was moved.
  test.each(['monotonic', 'uptime', 'wall'] as const)('is over when the %s clock alone says so', async (name) => {
    const { lease, clocks } = leader();
    await lease.renew();
    clocks[name] += 6_000;
    expect(lease.isHeld()).toBe(false);
  });

  test('is asked for before anything is said after a sleep: goes on where nobody took over', async () => {
    const { lease, passes, said } = leader();
    await lease.renew();
    passes(60_000);
    await lease.awake();
    expect([lease.isHeld(), said]).toEqual([true, []]);
  });

  test('is asked for before anything is said after a sleep: nothing more is, where somebody did', async () => {
    const { lease, redis, passes, said } = leader();
    await lease.renew();
    passes(60_000);
    redis.takes = () => Promise.resolve('b 0.1.0 7');
    expect(await failure(lease.awake())).toBe('Deposed');
    expect(said).toEqual(['Another process of the bot leads now. This one records nothing more and stops.']);
    redis.takes = (text) => Promise.resolve(text);
    await lease.renew();
    expect([lease.isHeld(), said.length]).toEqual([false, 1]);
  });

  test('that was let go is no news: what still waits to be said is not said', async () => {
    const { lease, redis, said } = leader();
    await lease.renew();
    await lease.release();
    redis.takes = () => Promise.resolve('released 0.1.0');
    expect(await failure(lease.awake())).toBe('Deposed');
    expect([lease.isHeld(), lease.isLeader(), said]).toEqual([false, false, []]);
  });

  test('that Redis does not answer for keeps nobody waiting, and is held again once it does', async () => {
    const { lease, redis, passes, said } = leader();
    await lease.renew();
    passes(60_000);
    redis.takes = () => Promise.reject(new Error('no connection'));
    await lease.awake();
    redis.takes = () => new Promise(() => undefined);
    await lease.awake();
    expect([lease.isHeld(), said]).toEqual([false, []]);
  });
});

describe('A standby', () => {
  /** What it makes of a row of looks, a quarter of a second apart: after how many it takes the lease. */
  function looksUntilTaken(leases: readonly (string | undefined)[], ms = 250): number {
    let now = 0;
    const patience = patienceWith(pace, () => now);
    return leases.findIndex((lease) => {
      now += ms;
      if (lease !== undefined) return patience.mayTake(lease);
      patience.begin();
      return false;
    });
  }
  const same = (count: number, lease = 'a 0.1.0 7') => Array.from({ length: count }, () => lease);

  test.each([
    ['one that was released, at once', ['released 0.1.0'], 0],
    ['one that stays as it is for ten seconds', same(50), 40],
    ['none that stays away for ten seconds', same(50, ''), 39],
    ['one that is renewed, never', Array.from({ length: 90 }, (_, at) => `a 0.1.0 ${Math.floor(at / 8)}`), -1],
    ['ten seconds after the last renewal', [...same(20), ...same(50, 'a 0.1.0 8')], 60],
    ['ten seconds after Redis is back', [...same(39), undefined, ...same(50)], 80],
  ] as const)('takes %s', (_what, leases, taken) => {
    expect(looksUntilTaken(leases)).toBe(taken);
  });

  test('counts a second at most of the time for which it was frozen, as the leader may have been', () => {
    expect(looksUntilTaken(same(20), 60_000)).toBe(10);
  });

  test.each([
    ['0.1.0', '0.2.0', true],
    ['0.9.0', '0.10.0', true],
    ['1.0.0', '0.9.9', false],
    ['0.1.0', '0.1.0', false],
    ['0.1.0-rc.1', '0.1.0', false],
  ])('%s is older than %s: %s', (one, other, older) => {
    expect(isOlder(one, other)).toBe(older);
  });
});

describeWithRedisServer('Processes with one ledger in Redis', () => {
  const server = ownServer();
  const quick = { renew: 50, look: 10, patience: 300, safe: 200 };
  const begun = (id: string) =>
    ({ kind: 'started', actor: { id: '1', name: 'bot', roles: [] }, owner: id, facts: {} }) as const;

  /** Some that will lead one after the other. */
  function stage() {
    const place = redisPlace(server.url);
    const deposed: string[] = [];
    const waits = new AbortController();
    onTestFinished(() => waits.abort());
    const open = async (
      id: string,
      { version = '0.1.0', url = server.url, renew = quick.renew } = {},
    ): Promise<RedisLedger> => {
      const onDeposed = ({ name }: Deposed): void => void deposed.push(`${id} ${name}`);
      const redis = await connection(url);
      const ledger = await openRedisLedger({
        redis,
        holder: { id, version },
        log: notes(),
        prefix: place.prefix,
        pace: { ...quick, renew },
        onDeposed,
      });
      onTestFinished(() => ledger.close());
      return ledger;
    };
    const lead = (ledger: RedisLedger, id: string): Promise<void> => ledger.lead(() => [begun(id)], waits.signal);
    const owners = async () =>
      (await place.lines())
        .map((line) => JSON.parse(line))
        .map(({ kind, owner, run }) => (kind === 'started' ? owner : run));
    return { ...place, open, lead, owners, deposed };
  }

  test('have one leader, and the next as soon as that one lets go, which knows all that it wrote', async () => {
    const { open, lead, owners, deposed } = stage();
    const all = await Promise.all(['a', 'b', 'c'].map(async (id) => ({ id, ledger: await open(id) })));
    const order: string[] = [];
    const done = all.map(async ({ id, ledger }) => {
      await lead(ledger, id);
      order.push(id);
      await ledger.append([intent(`${id}.1`)]);
      await ledger.close();
    });
    await Promise.all(done);
    expect(order.toSorted()).toEqual(['a', 'b', 'c']);
    expect(await owners()).toEqual(order.flatMap((id) => [id, `${id}.1`]));
    const last = all.find(({ id }) => id === order[2]);
    expect(last?.ledger.open()).toHaveLength(3);
    expect(deposed).toEqual([]);
  });

  test('write nothing before they lead', async () => {
    const { open, lead, owners } = stage();
    const [one, two] = [await open('a'), await open('b')];
    await lead(one, 'a');
    expect(await failure(two.append([intent('b.1')]))).toBe('LedgerUnavailable');
    expect(await owners()).toEqual(['a']);
  });

  test.each([
    ['append', (one: RedisLedger) => one.append([outcome('a.1')]), 'LedgerUnavailable'],
    ['look whether the ledger works', (one: RedisLedger) => one.probe(), 'LedgerUnavailable'],
    ['renewal', (one: RedisLedger) => one.awake(), 'Deposed'],
  ] as const)(
    'of which one leads that does not renew, until another one does: its next %s is its end',
    async (_what, tried, error) => {
      const { open, lead, owners, deposed } = stage();
      const [one, two] = [await open('a', { renew: 60_000 }), await open('b')];
      await lead(one, 'a');
      await one.append([intent('a.1')]);
      await lead(two, 'b');
      expect([one.isHeld(), two.isHeld(), deposed]).toEqual([false, true, []]);
      expect(await failure(tried(one))).toBe(error);
      expect(deposed).toEqual(['a Deposed']);
      expect(await failure(one.append([outcome('a.1')]))).toBe('LedgerUnavailable');
      await two.append([outcome('a.1')]);
      expect(await owners()).toEqual(['a', 'a.1', 'b', 'a.1']);
      expect(deposed).toEqual(['a Deposed']);
    },
  );

  test('of which the leader goes on when Redis was away, with its lease or without', async () => {
    const { open, lead, owners, deposed, prefix, redis } = stage();
    const one = await open('a');
    await lead(one, 'a');
    await server.kill();
    await expect.poll(one.isHeld).toBe(false);
    await server.restart();
    await expect.poll(one.isHeld).toBe(true);
    await redis.del(`${prefix}lease`);
    await expect.poll(() => redis.get(`${prefix}lease`)).toMatch(/^a 0\.1\.0 \d+$/);
    await one.append([intent('a.1')]);
    expect([await owners(), deposed]).toEqual([['a', 'a.1'], []]);
  });

  test.each(['before', 'after'] as const)(
    'of which one leads once where the connection breaks %s Redis has answered it',
    async (cut) => {
      const front = await startFront(server.port);
      const { open, lead, owners } = stage();
      const one = await open('a', { url: front.url });
      front.orders.cut = cut;
      await lead(one, 'a');
      await one.append([intent('a.1')]);
      expect(await owners()).toEqual(['a', 'a.1']);
      await expect.poll(one.isHeld).toBe(true);
    },
  );

  test('wait while a newer version waits, and not while one leads', async () => {
    const { open, lead } = stage();
    const [old, newer] = [await open('a'), await open('b', { version: '0.2.0' })];
    await lead(old, 'a');
    const next = lead(newer, 'b');
    await old.close();
    await next;
    const late = await open('c', { version: '0.1.9' });
    await expect(lead(late, 'c')).rejects.toMatchObject({
      name: 'Outdated',
      message: expect.stringContaining('This is version 0.1.9 of panelops, and version 0.2.0 leads'),
    });
    await newer.close();
    // Somebody goes back to it.
    await lead(await open('d', { version: '0.1.9' }), 'd');
  });

  test('end, and never lead, when what they read is damaged', async () => {
    const { open, lead, lines, write, prefix, redis } = stage();
    const [one, two] = [await open('a'), await open('b')];
    await lead(one, 'a');
    await one.append([outcome('a.1', 'no')]);
    await write((await lines()).map((line) => line.replace('"said":"no"', '"said":"ok"')));
    await redis.set(`${prefix}lease`, 'released 0.1.0');
    expect(await failure(lead(two, 'b'))).toBe('LedgerDamaged');
  });
});
