import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerTo, asks, changes, ended, historyOf, idOf, stateOf, until, whispers } from '../../helpers/messages.ts';
import { unhurried } from '../../helpers/pace.ts';
import { describeWithRedisServer, type RedisServer, startRedisServer } from '../../helpers/redis-server.ts';
import { startWorld, type World } from '../../helpers/world.ts';

describeWithRedisServer('two bots on one token and one ledger', () => {
  let world: World;
  let other: Awaited<ReturnType<World['another']>>;
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
    world = await startWorld({ redisUrl: redis.url, ledger: 'redis', still: true, discord: { deadlines: unhurried } });
    other = await world.another({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await world.panel.clear();
    await other.stop();
    await world.stop();
    await redis.stop();
  });

  /** What the ledger got while something was done, once it has so many more entries. */
  async function recorded(count: number, deed: () => Promise<unknown>): Promise<(string | undefined)[]> {
    const before = world.ledger().length;
    await deed();
    // The other one may have recorded it.
    await until(() => world.ledger().length >= before + count, 'the entries of both');
    return world
      .ledger()
      .slice(before)
      .map(({ kind, outcome }) => (kind === 'outcome' ? outcome : kind));
  }

  it('do a command once', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'db-1']) {
      const [sent, effects] = [changes(world).length, world.panel.effects.length];
      const entries = await recorded(3, async () => {
        const id = await world.discord.type('alice', 'ops', `/power boot server:${server}`);
        await answerTo(world, id, ['ACCEPTED']);
        expect(world.discord.messages('alice', 'ops').filter(({ answers }) => answers === id)).toHaveLength(1);
      });
      expect([changes(world).length - sent, world.panel.effects.length - effects]).toEqual([1, 1]);
      expect(entries).toEqual(['intent', 'accepted', 'follow-up']);
    }
  });

  it('ask once, and do once what is confirmed, whoever of them asked', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'db-1']) {
      const [sent, effects] = [changes(world).length, world.panel.effects.length];
      const entries = await recorded(4, async () => {
        const card = await asks(world, `/firewall flush server:${server}`);
        await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
        expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
      });
      expect([changes(world).length - sent, world.panel.effects.length - effects]).toEqual([1, 1]);
      expect(entries).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    }
  });

  it('ask for a reason once, and go on once, whichever of them gets it', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'db-1']) {
      const entries = await recorded(1, async () => {
        await world.discord.type('alice', 'ops', `/backup restore server:${server} disks:0`);
        await until(() => world.discord.modalOf('alice'), 'the form');
        const id = await world.discord.submit('alice', 'lost update');
        await answerTo(world, id, ['QUESTION']);
        expect(world.discord.messages('alice', 'ops').filter(({ answers }) => answers === id)).toHaveLength(1);
      });
      expect(entries).toEqual(['asked']);
    }
  });

  it('do once what is confirmed 20 times at once', async () => {
    const sent = changes(world).length;
    const entries = await recorded(5, async () => {
      const card = await asks(world, '/power restart server:web-1');
      const confirm = idOf(card, 'Confirm');
      await Promise.all(Array.from({ length: 20 }, () => world.discord.click('alice', card.id, confirm)));
      // A click whose answer the other process had given says nothing more to who confirmed.
      await world.discord.until(() => whispers(world, card).length > 0);
      expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    });
    expect(changes(world)).toHaveLength(sent + 1);
    expect(entries).toEqual(['asked', 'confirmed', 'intent', 'accepted', 'follow-up']);
  });

  it('hold a server for each other', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const sent = changes(world).length;
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => world.discord.type('alice', 'ops', '/power boot server:db-2')),
    );
    const stateOfAnswer = (id: string) =>
      world.discord.messages('alice', 'ops').flatMap((one) => (one.answers === id ? [stateOf(one)] : []));
    await world.discord.until(() => ids.flatMap(stateOfAnswer).filter((state) => state === 'BLOCKED').length === 9);
    await world.panel.until(() => changes(world).length > sent);
    expect(changes(world)).toHaveLength(sent + 1);
    await world.panel.clear();
    await world.discord.until(() => ids.flatMap(stateOfAnswer).includes('ACCEPTED'));
    expect(changes(world)).toHaveLength(sent + 1);
  });

  it('one goes on alone when the other stops', async () => {
    const card = await asks(world, '/power restart server:web-2');
    await other.stop();
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    await until(() => historyOf(world, card).includes('accepted'), 'the outcome in the ledger of the bot that is left');
  });
});
