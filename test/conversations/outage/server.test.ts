import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerTo, asks, changes, ended, idOf, stateOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, type RedisServer, startRedisServer } from '../../helpers/redis-server.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const resting = ['SUCCEEDED', 'ACCEPTED', 'UNAVAILABLE', 'UNKNOWN', 'NOT-SENT', 'BLOCKED', 'QUESTION'];

/** What a command comes to, and after how many ms. */
async function types(world: World, line: string): Promise<{ state: string; ms: number }> {
  const from = performance.now();
  const id = await world.discord.type('alice', 'ops', line);
  return { state: stateOf(await answerTo(world, id, resting)), ms: performance.now() - from };
}

/** In ms: longer than anything waits for Redis, which is three seconds. */
const gone = 5_000;

/** So many changes are within what the panel takes of a token in a minute. */
const most = 10;

/** Types a change and a read, again and again, for so many ms; the distinct answers, the slowest, and how many changed something. */
async function typesFor(
  world: World,
  ms: number,
): Promise<{ changes: Set<string>; reads: Set<string>; slowest: number; typed: number }> {
  const seen = { changes: new Set<string>(), reads: new Set<string>(), slowest: 0, typed: 0 };
  // Reads of a person are counted: alice has 20 a minute.
  for (const until = performance.now() + ms; performance.now() < until; ) {
    const [read, change] = await Promise.all([
      types(world, '/help'),
      ...(seen.typed < most ? [types(world, '/power boot server:web-1,web-2,web-3')] : []),
    ]);
    if (change !== undefined) seen.typed += 1;
    if (change !== undefined) seen.changes.add(change.state);
    seen.reads.add(read.state);
    seen.slowest = Math.max(seen.slowest, change?.ms ?? 0, read.ms);
  }
  return seen;
}

describeWithRedisServer('a bot on a Redis of its own machine', () => {
  let world: World;
  let redis: RedisServer;
  const backs = (): number => world.logged().match(/"level":30,.*"Redis is back"/g)?.length ?? 0;
  beforeAll(async () => {
    redis = await startRedisServer();
    world = await startWorld({ redisUrl: redis.url });
  });
  afterAll(async () => {
    redis.thaw();
    await world.stop();
    await redis.stop();
  });

  it('goes on without it for as long as that takes, refuses nobody, and sees it again within two seconds', async () => {
    const card = await asks(world, '/power restart server:web-2');
    await redis.kill();
    const seen = await typesFor(world, gone);
    expect(seen.changes).toEqual(new Set(['ACCEPTED']));
    expect(seen.reads).toEqual(new Set(['SUCCEEDED']));
    expect(seen.slowest).toBeLessThan(15_000);
    expect(changes(world)).toHaveLength(3 * seen.typed);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    expect(changes(world).at(-1)?.path).toBe('/servers/102/power/restart');

    await redis.restart();
    const from = performance.now();
    await until(() => backs() === 1, 'Redis is back');
    expect(performance.now() - from).toBeLessThan(10_000);
    expect((await types(world, '/power boot server:web-1')).state).toBe('ACCEPTED');
  });

  it('has the open questions again when it comes back empty', async () => {
    const card = await asks(world, '/power restart server:web-3');
    const before = backs();
    await redis.kill();
    redis.wipe();
    await redis.restart();
    await until(() => backs() > before, 'Redis is back');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
  });

  it('does everything in time while it is frozen, and sees it again within two seconds', async () => {
    const sent = changes(world).length;
    const before = backs();
    redis.freeze();
    const seen = await typesFor(world, gone);
    expect(seen.changes).toEqual(new Set(['ACCEPTED']));
    expect(seen.reads).toEqual(new Set(['SUCCEEDED']));
    expect(seen.slowest).toBeLessThan(15_000);

    const from = performance.now();
    redis.thaw();
    await until(() => backs() > before, 'Redis is back');
    expect(performance.now() - from).toBeLessThan(10_000);
    expect((await types(world, '/power boot server:web-1')).state).toBe('ACCEPTED');
    expect(changes(world)).toHaveLength(sent + 3 * seen.typed + 1);
  });
});
