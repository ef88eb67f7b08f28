import { expect, onTestFinished, test } from 'vitest';
import { verify } from '../../../src/ledger/chain.ts';
import { isOfRun } from '../../../src/runs/entry.ts';
import { startFront } from '../../helpers/ledger/front.ts';
import { connection, failure, openLeading, ownServer, redisPlace } from '../../helpers/ledger/places.ts';
import { intent, notes, outcome } from '../../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

const patient = { timeout: 10_000 };

describeWithRedisServer('A redis-server that is killed in the middle', () => {
  const server = ownServer();

  test('has everything that was acknowledged when it is back, once, and the chain goes on', async () => {
    const { open, lines } = redisPlace(server.url);
    const ledger = await open();
    const acknowledged: string[] = [];
    let stopped = false;
    const appending = ['a', 'b'].map(async (who) => {
      for (let number = 1; !stopped; number += 1) {
        const run = `${who}${number}.1`;
        const [entry] = await ledger.append([intent(run)]).catch(() => []);
        if (entry) acknowledged.push(run);
        // What is refused at once must not keep the connection from coming back.
        else await new Promise((next) => setImmediate(next));
      }
    });
    try {
      for (const round of [1, 2, 3]) {
        await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(round * 40);
        await server.kill();
        const before = acknowledged.length;
        await server.restart();
        await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(before);
      }
    } finally {
      stopped = true;
      await Promise.all(appending);
    }
    const recorded = (await lines()).map((line): string => JSON.parse(line).run);
    expect(verify(await lines())).toMatchObject({ ok: true, count: recorded.length });
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(acknowledged.filter((run) => !recorded.includes(run))).toEqual([]);
  });

  test('makes appends and looks unavailable at once while it is away', async () => {
    const ledger = await redisPlace(server.url).open();
    await ledger.append([intent('a.1')]);
    await server.kill();
    onTestFinished(() => server.restart());
    const failures = [ledger.append([outcome('a.1')]), ledger.settle()].map(failure);
    expect(await Promise.all(failures)).toEqual(['LedgerUnavailable', 'LedgerUnavailable']);
    const start = Date.now();
    expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
    // A command that waits for its answer has 3 s.
    expect(Date.now() - start).toBeLessThan(2_500);
    expect(ledger.open().map(({ run }) => run)).toEqual(['a.1']);
  });

  test('and came back empty takes nothing more', async () => {
    const { open, lines } = redisPlace(server.url);
    const ledger = await open();
    await ledger.append([intent('a.1')]);
    await server.kill();
    server.wipe();
    await server.restart();
    const causeOf = () => ledger.append([outcome('a.1')]).catch((error) => error.cause.name);
    await expect.poll(causeOf).toBe('LedgerDamaged');
    expect(await lines()).toEqual([]);
  });
});

describeWithRedisServer('A redis-server that is frozen in the middle', () => {
  const server = ownServer();

  test('makes an append unavailable in time, and records it no second time once it is thawed', async () => {
    const { open, lines } = redisPlace(server.url);
    const ledger = await open();
    await ledger.append([intent('a.1')]);
    server.freeze();
    onTestFinished(() => server.thaw());
    const start = Date.now();
    expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
    expect(Date.now() - start).toBeLessThan(20_000);
    server.thaw();
    // Whether the frozen server took it or not: after this, it is there once.
    await expect.poll(() => failure(ledger.append([outcome('a.1')])), patient).toMatch(/object|Refused/);
    expect(ledger.runs('a')[0]?.outcome?.seq).toBe(2);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 2 });
  });
});

describeWithRedisServer('A connection that breaks at an append', () => {
  const server = ownServer();

  async function fronted(settings: { synced?: boolean } = {}) {
    const front = await startFront(server.port);
    Object.assign(front.orders, settings);
    const place = redisPlace(server.url);
    const open = async (patience = 4_000) =>
      openLeading({ redis: await connection(front.url), log: notes(), prefix: place.prefix, patience });
    return { ...place, orders: front.orders, open };
  }

  test.each(['before', 'after'] as const)('%s the server has answered leaves it recorded once', async (cut) => {
    const { open, lines, orders } = await fronted();
    const ledger = await open();
    await ledger.append([intent('a.1')]);
    orders.cut = cut;
    const [both, second] = [ledger.append([outcome('a.1'), intent('b.1')]), ledger.append([outcome('a.1')])];
    expect((await both).filter(isOfRun).map(({ seq, run }) => [seq, run])).toEqual([
      [2, 'a.1'],
      [3, 'b.1'],
    ]);
    expect(await failure(second)).toBe('Refused');
    expect(orders.cut).toBeUndefined();
    expect(verify(await lines())).toMatchObject({ ok: true, count: 3 });
    await ledger.append([outcome('b.1')]);
    expect(ledger.head().seq).toBe(4);
  });

  test('and does not come back in time is LedgerUnavailable, and what was recorded is found later', async () => {
    const { open, orders } = await fronted();
    const ledger = await open(0);
    orders.cut = 'after';
    const heard: string[] = [];
    ledger.subscribe((entry) => void (isOfRun(entry) && heard.push(entry.run)));
    expect(await failure(ledger.append([intent('a.1')]))).toBe('LedgerUnavailable');
    await expect.poll(() => failure(ledger.settle())).toBe('undefined');
    expect(ledger.open().map(({ run }) => run)).toEqual(['a.1']);
    expect(heard).toEqual(['a.1']);
    expect(await failure(ledger.append([intent('a.1')]))).toBe('Refused');
  });

  // This server's own WAITAOF is there from Redis 7.2 on; in front of an older one, its answers are given.
  test('to a server that syncs each second is waited for with WAITAOF', async () => {
    await server.restart({ appendfsync: 'everysec' });
    onTestFinished(() => server.restart({ appendfsync: 'always' }));
    const { open, orders, lines } = await fronted({ synced: true });
    const ledger = await open();
    const asked = orders.syncs;
    await ledger.append([intent('a.1')]);
    expect(orders.syncs).toBe(asked + 1);
    orders.cut = 'after';
    await ledger.append([outcome('a.1')]);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 2 });
  });

  test('to a server whose disk does not sync is not acknowledged before it does', async () => {
    const { open, orders, lines } = await fronted({ synced: true });
    const ledger = await open(500);
    orders.synced = false;
    expect(await failure(ledger.append([intent('a.1')]))).toBe('LedgerUnavailable');
    expect(ledger.open()).toEqual([]);
    orders.synced = true;
    await ledger.settle();
    expect(ledger.open().map(({ run }) => run)).toEqual(['a.1']);
    expect(verify(await lines())).toMatchObject({ ok: true, count: 1 });
  });
});
