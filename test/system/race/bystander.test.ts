import { expect, it } from 'vitest';
import {
  answerTo,
  asks,
  changes,
  historyOf,
  idOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whispers,
} from '../../helpers/messages.ts';
import { describeWithRedisServer, startRedisServer } from '../../helpers/redis-server.ts';
import { examplePolicy, startWorld, type World } from '../../helpers/world.ts';

const bobMay = 'allow: [read, write, "power.*", audit.history, hold, release], servers: ["web-*", 100-199]';

describeWithRedisServer('of two bots, the one that does not have a command says and records nothing of it', () => {
  /** Half of a rolling restart: the second bot has a stricter policy, in which bob may only read. `stop`: all has been said then. */
  async function two(second = examplePolicy) {
    const redis = await startRedisServer();
    let started = 0;
    const options = {
      ...{ redisUrl: redis.url, ledger: 'redis' as const, still: true as const },
      get policy() {
        started += 1;
        return started === 1 ? examplePolicy : second;
      },
    };
    const world = await startWorld(options);
    const other = await world.another({ redisUrl: redis.url });
    const stop = async (): Promise<void> => {
      world.discord.clear();
      await other.stop();
      await world.stop();
      await redis.stop();
    };
    return { world, stop };
  }

  const lookups = { method: 'GET', path: '/webhooks/*' };
  const answer = (world: World, id: string) => answerTo(world, id, ['ACCEPTED', 'NOT-SENT', 'UNKNOWN'], 'alice');

  it('a click, where it cannot find out which message the first answer made', async () => {
    const { world, stop } = await two();
    const card = await asks(world, '/firewall flush server:web-1');
    world.discord.order({ kind: 'lose-request', by: 'close', match: lookups, times: 4 });
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await until(
      () => stateOf(messageOf(world, card.id)) !== 'QUESTION' || whispers(world, card).length > 0,
      'an answer',
    );
    await stop();
    const said = whispers(world, card).map(textOf);
    if (stateOf(messageOf(world, card.id)) === 'SUCCEEDED') {
      expect([said, changes(world).length]).toEqual([[], 1]);
      expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
      return;
    }
    // The one that could not find out was the one that had the click: nobody did it, and it says so.
    expect([said.length, changes(world).length, historyOf(world, card)]).toEqual([1, 0, ['asked']]);
    expect(said[0]).toContain('NOT-SENT');
  });

  it('a command that the other one waits for the panel with', async () => {
    const { world, stop } = await two();
    world.panel.order({ kind: 'delay', ms: 5_000, match: { changes: true } });
    world.discord.order({ kind: 'rate-limit', retryAfterMs: 2_000, match: lookups, times: 1 });
    world.discord.order({ kind: 'status', status: 500, match: lookups, times: 9 });
    const card = await answer(world, await world.discord.type('alice', 'ops', '/power boot server:web-2'));
    await stop();
    if (stateOf(card) === 'NOT-SENT') {
      // As above: the one that could not find out was the one that had the command, and nobody did it.
      expect([changes(world).length, world.ledger().filter(({ kind }) => kind === 'intent')]).toEqual([0, []]);
      return;
    }
    expect([stateOf(card), changes(world).length]).toEqual(['ACCEPTED', 1]);
    expect(historyOf(world, card).slice(0, 2)).toEqual(['intent', 'accepted']);
  });

  it('a command that its newer policy does not allow: the card ends as the ledger says', async () => {
    const { world, stop } = await two(examplePolicy.replace(bobMay, 'allow: [read]'));
    for (const ms of [0, 10, 25, 40, 60, 100]) {
      const before = changes(world).length;
      world.discord.order({ kind: 'delay', ms, match: { method: 'POST', path: '/interactions/*' }, times: 1 });
      const id = await world.discord.type('bob', 'ops', '/firewall enable server:web-2');
      const card = await answerTo(world, id, ['SUCCEEDED', 'DENIED'], 'bob');
      const isDone = stateOf(card) === 'SUCCEEDED';
      expect(changes(world).length - before).toBe(isDone ? 1 : 0);
    }
    await stop();
  });
});
