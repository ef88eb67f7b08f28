import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import {
  answerTo,
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  messageOf,
  quietLog,
  stateOf,
  until,
  whisperAfter,
} from '../../helpers/messages.ts';
import { openCards } from '../../helpers/open-cards.ts';
import { startWorld, type World, worldForAll } from '../../helpers/world.ts';

describe('a Redis that is lost', () => {
  let redis: Awaited<ReturnType<typeof startEmbeddedRedis>>;
  let world: World;
  beforeAll(async () => {
    redis = await startEmbeddedRedis(quietLog);
    world = await startWorld({ redisUrl: redis.url, still: true });
  });
  afterAll(async () => {
    await world.panel.clear();
    await world.stop();
    await redis.close();
  });

  it('and comes back empty does not bring back a question that is being done', async () => {
    const card = await asks(world, '/firewall flush server:web-1');
    // Before the request, what is set now is read again.
    world.panel.order({ kind: 'hang-before', match: { changes: false } });
    const looks = world.panel.requests.length;
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await world.panel.until(() => world.panel.requests.length > looks);
    const back = (): number => world.logged().split('"Redis is back"').length;
    const before = back();
    process.kill(redis.pid, 'SIGKILL');
    await until(() => back() > before, 'Redis to be back');
    const told = await whisperAfter(world, card, 'alice', () =>
      world.discord.forge('alice', card.id, idOf(card, 'Confirm')),
    );
    expect(told).toContain('`alice` confirmed this');
    await world.panel.clear();
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'succeeded']);
    expect(changes(world)).toHaveLength(1);
  });

  it('leaves no card under way of which the first answer was lost as well', async () => {
    const frozen = redis.pid;
    process.kill(frozen, 'SIGSTOP');
    try {
      const path = '/interactions/*';
      for (const [who, line, state] of [
        ['alice', '/power boot server:web-1', 'ACCEPTED'],
        ['carol', '/firewall show server:web-1', 'SUCCEEDED'],
      ] as const) {
        // It took effect; sent again, Discord says that there is an answer already.
        world.discord.order({ kind: 'lose-request', by: 'reset', match: { method: 'POST', path } });
        const id = await world.discord.type(who, 'ops', line);
        await answerTo(world, id, [state], who);
      }
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
    expect(changes(world).filter(({ path }) => path.includes('boot'))).toHaveLength(1);
  });
});

describe('a ledger that is lost', () => {
  const world = worldForAll({ still: true, intervals: { cards: { late: 0 } } });

  const file = (): string => join(world.dir, 'ledger.jsonl');
  const lose = (): void => {
    renameSync(file(), `${file()}.away`);
    writeFileSync(file(), '');
  };
  const find = (): void => {
    rmSync(file());
    renameSync(`${file()}.away`, file());
  };
  const refused = (): number => world.logged().split('cannot record an outcome in the ledger').length;

  it('and found says in the end what became of a change whose card was lost too', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1');
    const card = await answerTo(world, id, ['WORKING']);
    await until(() => historyOf(world, card).includes('intent'), 'the intent');
    const before = refused();
    lose();
    world.discord.order({ kind: 'status', status: 400, match: { method: 'PATCH', path: '/webhooks/*' }, times: 999 });
    await world.panel.clear();
    await until(() => refused() > before, 'the outcome to wait');
    await until(() => world.logged().includes('cannot edit a card yet: will retry'), 'the edit to fail');
    expect(stateOf(messageOf(world, card.id))).toBe('WORKING');
    find();
    world.discord.clear();
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    await until(() => historyOf(world, card).length === 2, 'its end to be recorded');
    expect(historyOf(world, card)).toEqual(['intent', 'succeeded']);
    await until(() => openCards(world).length === 0, 'the record to go');
  });

  it('does not take a Cancel that it cannot record: the question is open, and stays so', async () => {
    const card = await asks(world, '/backup restore server:web-1 disks:0 reason:x');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await world.discord.until(() => world.discord.modalOf('alice'));
    world.discord.setRoles('bob', ['lead']);
    const sent = changes(world).length;
    lose();
    const cancel = () => world.discord.click('bob', card.id, idOf(card, 'Cancel'));
    const told = await whisperAfter(world, card, 'bob', cancel);
    expect(told).toContain('UNAVAILABLE');
    expect(told).toContain('The ledger cannot be written, so changes are refused.');
    await world.app.stop();
    find();
    await world.restart();
    expect(stateOf(messageOf(world, card.id))).toBe('QUESTION');
    await cancel();
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'CANCELLED');
    const late = await whisperAfter(world, card, 'alice', () => world.discord.submit('alice', 'web-1'));
    expect(late).toContain('`bob` cancelled this');
    expect(historyOf(world, card)).toEqual(['asked', 'cancelled']);
    expect(changes(world)).toHaveLength(sent);
  });
});
