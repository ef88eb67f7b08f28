import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCardFile } from '../../src/cards/file-store.ts';
import type { CardRecord, CardStore, LeftOver } from '../../src/cards/record.ts';
import { cardsInRedis } from '../../src/cards/redis-store.ts';
import { openedOf, typed } from '../helpers/cards/story.ts';
import { connection, ownServer } from '../helpers/ledger/places.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const flush = typed('flush', '/firewall flush server:101');
const boot = typed('boot', '/power boot server:102');

/** A card of that process, with or without how its command was answered. */
const cardOf = (processId: string, of = flush): CardRecord => {
  const opened = openedOf(of);
  return { id: of.id, processId, opened: { ...opened, interaction: { ...opened.interaction, at: lately } } };
};
/** A token from then is still good. */
const lately = Date.now();
const bare = (id: string, processId: string): CardRecord => ({ id, processId });

/** Where open cards are kept for one test. */
interface Place {
  /** A process of that name, which ends the one before. */
  start(processId: string): Promise<CardStore>;
}

function inFile(): Place & { dir: string; log: ReturnType<typeof notes> } {
  const [dir, log] = [folder(), notes()];
  return { dir, log, start: (processId) => openCardFile(dir, processId, log) };
}

function inRedis(url: string): Place & { prefix: string; key: string; redis: Redis } {
  const prefix = `${randomUUID()}:`;
  const redis = new Redis(url);
  onTestFinished(() => redis.disconnect());
  return {
    ...{ prefix, redis, key: `${prefix}cards` },
    async start(processId) {
      return cardsInRedis({ redis: await connection(url), processId, log: notes(), prefix });
    },
  };
}

/** Redis has them in no order. */
const taken = async (store: CardStore): Promise<LeftOver> => {
  const { cards, ...left } = await store.takeOver();
  return { ...left, cards: cards.toSorted((a, b) => a.id.localeCompare(b.id)) };
};

function contract(placeOf: () => Place): void {
  test('What was put and not removed is taken over by the next process, once', async () => {
    const { start } = placeOf();
    const first = await start('first');
    await first.put(cardOf('first'), 3);
    await first.put(cardOf('first', boot), 4);
    first.remove('boot', 5);
    await first.put(bare('reboot', 'first'), 6);

    const second = await start('second');
    expect(await taken(second)).toEqual({ cards: [cardOf('first'), bare('reboot', 'first')], kept: 6 });
    expect(await second.takeOver()).toEqual({ cards: [] });
  });

  test('What was taken over is of the process that took it, and the next one gets it, too', async () => {
    const { start } = placeOf();
    await (await start('first')).put(cardOf('first'), 3);
    await (await start('second')).takeOver();
    expect(await (await start('third')).takeOver()).toEqual({
      cards: [expect.objectContaining({ id: 'flush' })],
      kept: 3,
    });
  });

  test('A process is kept up with no more than whoever it took over from, until it says so', async () => {
    const { start } = placeOf();
    await (await start('first')).put(bare('flush', 'first'), 3);
    const second = await start('second');
    await second.takeOver();
    await second.put(bare('boot', 'second'), 3);
    const third = await start('third');
    expect(await third.takeOver()).toMatchObject({ kept: 3 });
    await third.put(bare('boot', 'third'), 9);
    expect(await (await start('fourth')).takeOver()).toMatchObject({ kept: 9 });
  });

  test('A card that is put again is as it was put last', async () => {
    const { start } = placeOf();
    const first = await start('first');
    await first.put(bare('flush', 'first'), 1);
    await first.put(cardOf('first'), 2);
    expect((await (await start('second')).takeOver()).cards).toEqual([cardOf('first')]);
  });

  test('Where nothing was kept, it is not known what was kept up with', async () => {
    const { start } = placeOf();
    expect(await (await start('first')).takeOver()).toEqual({ cards: [] });
  });
}

describe('Open cards in a file', () => {
  contract(inFile);

  test('A line that a crash cut off is not there, and what comes after it is', async () => {
    const { dir, start } = inFile();
    await (await start('first')).put(bare('flush', 'first'), 1);
    appendFileSync(join(dir, 'cards.jsonl'), '{"seq":2,"card":{"id":"bo');
    const second = await start('second');
    expect(await second.takeOver()).toEqual({ cards: [bare('flush', 'first')], kept: 1 });
    await second.put(bare('boot', 'second'), 3);
    const third = await (await start('third')).takeOver();
    expect(third.cards.map(({ id }) => id)).toEqual(['flush', 'boot']);
  });

  test('Only its owner reads it: it holds tokens', async () => {
    const { dir, start } = inFile();
    const store = await start('first');
    await store.put(cardOf('first'), 1);
    expect(readFileSync(join(dir, 'cards.jsonl'), 'utf8')).toContain('token-of-flush');
    expect(statSync(join(dir, 'cards.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('A disk that takes nothing is one warning without a token, and what it refused is there once there is room', async () => {
    const { dir, log, start } = inFile();
    const store = await start('first');
    // Whoever may write everything cannot write to a folder.
    mkdirSync(join(dir, 'cards.jsonl.part'));
    await store.put(cardOf('first'), 1);
    await store.put(cardOf('first', boot), 2);
    store.remove('flush', 3);
    expect(log.messages).toEqual(['cannot store open cards']);
    expect(existsSync(join(dir, 'cards.jsonl'))).toBe(false);

    rmSync(join(dir, 'cards.jsonl.part'), { recursive: true });
    await store.put(bare('reboot', 'first'), 4);
    expect(await (await start('second')).takeOver()).toEqual({
      cards: [cardOf('first', boot), bare('reboot', 'first')],
      kept: 4,
    });
  });

  test('A file that cannot be read is a warning', async () => {
    const { dir, log, start } = inFile();
    mkdirSync(join(dir, 'cards.jsonl'));
    const store = await start('first');
    expect(await store.takeOver()).toEqual({ cards: [] });
    await store.put(bare('flush', 'first'), 1);
    expect(log.messages).toEqual(['cannot read open cards', 'cannot store open cards']);
  });

  test('The file holds what is open, and not all that ever was', async () => {
    const { dir, start } = inFile();
    const store = await start('first');
    for (let at = 1; at <= 3_000; at += 1) {
      void store.put(bare(`card${at}`, 'first'), at);
      store.remove(`card${at}`, at);
    }
    await store.put(cardOf('first'), 3_001);
    expect(readFileSync(join(dir, 'cards.jsonl'), 'utf8').split('\n').length).toBeLessThan(1_100);
    expect(await (await start('second')).takeOver()).toEqual({ cards: [cardOf('first')], kept: 3_001 });
  });

  test("The first release's folder of cards is removed", async () => {
    const { dir, start } = inFile();
    mkdirSync(join(dir, 'open'));
    writeFileSync(join(dir, 'open', 'a.json'), '{"token":"secret"}');
    await start('first');
    expect(existsSync(join(dir, 'open'))).toBe(false);
  });
});

describeWithRedisServer('Open cards in Redis', () => {
  const server = ownServer();
  contract(() => inRedis(server().url));

  test('A process that stops in order leaves its cards, and nothing that was not kept up with', async () => {
    const { start } = inRedis(server().url);
    const first = await start('first');
    await first.put(bare('flush', 'first'), 1);
    await first.close();
    expect(await (await start('second')).takeOver()).toEqual({ cards: [bare('flush', 'first')] });
  });

  test('All of it is forgotten a week after the last change', async () => {
    const { start, redis, key } = inRedis(server().url);
    await (await start('first')).put(bare('flush', 'first'), 1);
    expect(await redis.ttl(key)).toBeGreaterThan(604_790);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(604_800);
  });

  test('What Redis did not take is sent again with the next card, and what was over meanwhile is not there', async () => {
    const away = ownAway();
    const { start, redis, key } = inRedis(server().url);
    const real = await connection(server().url);
    const store = cardsInRedis({
      redis: away.between(real),
      processId: 'first',
      log: away.log,
      prefix: key.replace('cards', ''),
    });
    away.isAway = true;
    await store.put(bare('flush', 'first'), 1);
    await store.put(bare('boot', 'first'), 2);
    store.remove('boot', 3);
    expect(await redis.exists(key)).toBe(0);
    expect(away.log.messages).toEqual(['cannot store open cards in Redis']);
    away.isAway = false;
    await store.put(bare('reboot', 'first'), 4);
    expect(await taken(await start('second'))).toEqual({
      cards: [bare('flush', 'first'), bare('reboot', 'first')],
      kept: 4,
    });
  });

  test('While Redis is away nothing rejects', async () => {
    const redis = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
    redis.on('error', () => undefined);
    onTestFinished(() => redis.disconnect());
    const store = cardsInRedis({ redis, processId: 'first', log: notes() });
    await store.put(bare('flush', 'first'), 1);
    store.remove('flush', 2);
    expect(await store.takeOver()).toEqual({ cards: [] });
    await store.close();
  });
});

/** A connection that can be cut. */
function ownAway() {
  const log = notes();
  const state = {
    isAway: false,
    log,
    between: (redis: Redis): Redis =>
      new Proxy(redis, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]): unknown => {
            if (state.isAway) throw new Error('away');
            return Reflect.apply(member, target, args);
          };
        },
      }),
  };
  return state;
}
