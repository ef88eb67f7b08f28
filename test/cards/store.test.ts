import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCardFile } from '../../src/cards/file-store.ts';
import type { CardRecord, CardStore } from '../../src/cards/record.ts';
import { cardsInRedis } from '../../src/cards/redis-store.ts';
import { openedOf, typed } from '../helpers/cards/story.ts';
import { connection, ownServer } from '../helpers/ledger/places.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const flush = typed('flush', '/firewall flush server:101');
const boot = typed('boot', '/power boot server:102');

/** A card, with or without how its command was answered. */
const cardOf = (of = flush): CardRecord => {
  const opened = openedOf(of);
  return { id: of.id, opened: { ...opened, interaction: { ...opened.interaction, at: lately } } };
};
/** A token from then is still good. */
const lately = Date.now();
const bare = (id: string): CardRecord => ({ id });

/** Where open cards are kept for one test. */
interface Place {
  /** A process, which ends the one before. */
  start(head?: number): Promise<CardStore>;
}

function inFile(): Place & { dir: string; log: ReturnType<typeof notes> } {
  const [dir, log] = [folder(), notes()];
  return {
    ...{ dir, log },
    async start(head) {
      const store = await openCardFile(dir, log, head);
      onTestFinished(() => store.close());
      return store;
    },
  };
}

function inRedis(url: string): Place & { prefix: string; key: string; redis: Redis } {
  const prefix = `${randomUUID()}:`;
  const redis = new Redis(url);
  onTestFinished(() => redis.disconnect());
  return {
    ...{ prefix, redis, key: `${prefix}cards` },
    start: async () => cardsInRedis(await connection(url), notes(), prefix),
  };
}

/** Redis has them in no order. */
const taken = async (store: CardStore): Promise<readonly CardRecord[] | undefined> =>
  (await store.takeOver())?.cards.toSorted((a, b) => a.id.localeCompare(b.id));

function contract(placeOf: () => Place): void {
  test('What was put and not removed is taken over by the next process, once', async () => {
    const { start } = placeOf();
    const first = await start();
    await first.put(cardOf(), 3);
    await first.put(cardOf(boot), 4);
    first.remove('boot', 5);
    await first.put(bare('reboot'), 6);

    const second = await start();
    expect(await taken(second)).toEqual([cardOf(), bare('reboot')]);
    expect(await second.takeOver()).toBeUndefined();
  });

  test('What was taken over and is still open, the next process gets, too', async () => {
    const { start } = placeOf();
    await (await start()).put(cardOf(), 3);
    const second = await start();
    await second.takeOver();
    await second.put(bare('boot'), 4);
    const third = await start();
    expect(await taken(third)).toEqual([bare('boot'), cardOf()]);
    third.remove('flush', 5);
    await third.put(bare('reboot'), 6);
    expect(await taken(await start())).toEqual([bare('boot'), bare('reboot')]);
  });

  test('A card that is put again is as it was put last', async () => {
    const { start } = placeOf();
    const first = await start();
    await first.put(bare('flush'), 1);
    await first.put(cardOf(), 2);
    expect(await taken(await start())).toEqual([cardOf()]);
  });
}

describe('Open cards in a file', () => {
  contract(inFile);

  test('A line that a crash cut off is not there, and what comes after it is', async () => {
    const { dir, start } = inFile();
    await (await start()).put(bare('flush'), 1);
    appendFileSync(join(dir, 'cards.jsonl'), '{"seq":2,"card":{"id":"bo');
    const second = await start();
    expect(await second.takeOver()).toEqual({ cards: [bare('flush')] });
    await second.put(bare('boot'), 3);
    expect(await (await start()).takeOver()).toEqual({ cards: [bare('flush'), bare('boot')] });
  });

  test('A ledger that lacks an entry which was known is another one, until the next process', async () => {
    const { start } = inFile();
    await (await start()).put(bare('flush'), 5);
    expect(await (await start(4)).takeOver()).toEqual({ cards: [bare('flush')], isAhead: true });
    expect(await (await start(4)).takeOver()).toEqual({ cards: [bare('flush')] });
  });

  test('Only its owner reads it: it holds tokens', async () => {
    const { dir, start } = inFile();
    const store = await start();
    await store.put(cardOf(), 1);
    expect(readFileSync(join(dir, 'cards.jsonl'), 'utf8')).toContain('token-of-flush');
    expect(statSync(join(dir, 'cards.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('A disk that takes nothing is one warning without a token, and what it refused is there once there is room', async () => {
    const { dir, log, start } = inFile();
    const store = await start();
    // Whoever may write everything cannot write to a folder.
    mkdirSync(join(dir, 'cards.jsonl.part'));
    await store.put(cardOf(), 1);
    await store.put(cardOf(boot), 2);
    store.remove('flush', 3);
    expect(log.messages).toEqual(['cannot store open cards']);
    expect(existsSync(join(dir, 'cards.jsonl'))).toBe(false);

    rmSync(join(dir, 'cards.jsonl.part'), { recursive: true });
    await store.put(bare('reboot'), 4);
    expect(await (await start()).takeOver()).toEqual({ cards: [cardOf(boot), bare('reboot')] });
  });

  test('A file that cannot be read is a warning', async () => {
    const { dir, log, start } = inFile();
    mkdirSync(join(dir, 'cards.jsonl'));
    const store = await start();
    expect(await store.takeOver()).toEqual({ cards: [] });
    await store.put(bare('flush'), 1);
    expect(log.messages).toEqual(['cannot read open cards', 'cannot store open cards']);
  });

  test('The file holds what is open, and not all that ever was', async () => {
    const { dir, start } = inFile();
    const store = await start();
    for (let at = 1; at <= 12_000; at += 1) {
      void store.put(bare(`card${at}`), at);
      store.remove(`card${at}`, at);
    }
    await store.put(cardOf(), 12_001);
    expect(readFileSync(join(dir, 'cards.jsonl'), 'utf8').split('\n').length).toBeLessThan(10_100);
    expect(await (await start()).takeOver()).toEqual({ cards: [cardOf()] });
  });

  test("The first release's folder of cards is removed", async () => {
    const { dir, start } = inFile();
    mkdirSync(join(dir, 'open'));
    writeFileSync(join(dir, 'open', 'a.json'), '{"token":"secret"}');
    await start();
    expect(existsSync(join(dir, 'open'))).toBe(false);
  });
});

describeWithRedisServer('Open cards in Redis', () => {
  const server = ownServer();
  contract(() => inRedis(server.url));

  test('Cards of an earlier release, by process, are taken over, and removed as all others are', async () => {
    const { start, redis, key } = inRedis(server.url);
    await redis.hset(key, { 'first/flush': JSON.stringify({ ...cardOf(), processId: 'first' }), '@first': '3' });
    const second = await start();
    expect(await taken(second)).toEqual([cardOf()]);
    second.remove('flush', 4);
    await second.close();
    expect(await redis.exists(key)).toBe(0);
  });

  test('What an earlier release left of itself alone is removed, and hides no card', async () => {
    const { start, redis, key } = inRedis(server.url);
    await redis.hset(key, { '@first': '3' });
    expect(await taken(await start())).toEqual([]);
    expect(await redis.exists(key)).toBe(0);
  });

  test('What a process put before it could take over is its own', async () => {
    const { start } = inRedis(server.url);
    await (await start()).put(cardOf(), 1);
    const second = await start();
    await second.put(bare('boot'), 2);
    expect(await taken(second)).toEqual([cardOf()]);
  });

  test('All of it is forgotten a week after the last change', async () => {
    const { start, redis, key } = inRedis(server.url);
    await (await start()).put(bare('flush'), 1);
    expect(await redis.ttl(key)).toBeGreaterThan(604_790);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(604_800);
  });

  test('What Redis did not take is sent again with the next card, and what was over meanwhile is not there', async () => {
    const away = ownAway();
    const { start, redis, key } = inRedis(server.url);
    const real = await connection(server.url);
    const store = cardsInRedis(away.between(real), away.log, key.replace('cards', ''));
    away.isAway = true;
    await store.put(bare('flush'), 1);
    await store.put(bare('boot'), 2);
    store.remove('boot', 3);
    expect(await redis.exists(key)).toBe(0);
    expect(away.log.messages).toEqual(['cannot store open cards in Redis']);
    away.isAway = false;
    await store.put(bare('reboot'), 4);
    expect(await taken(await start())).toEqual([bare('flush'), bare('reboot')]);
  });

  test('While Redis is away nothing rejects', async () => {
    const redis = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
    redis.on('error', () => undefined);
    onTestFinished(() => redis.disconnect());
    const store = cardsInRedis(redis, notes());
    await store.put(bare('flush'), 1);
    store.remove('flush', 2);
    expect(await store.takeOver()).toBeUndefined();
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

test('What many put at once is in the file as soon as each of them hears so, and in order', async () => {
  const dir = folder();
  const store = await openCardFile(dir, notes());
  const put = (id: string): Promise<boolean> => store.put({ id }, 1);
  const isThere = (id: string): boolean => readFileSync(join(dir, 'cards.jsonl'), 'utf8').includes(`"${id}"`);
  await put('first');
  const ids = Array.from({ length: 200 }, (_, at) => `card${at}`);
  const stored = await Promise.all(ids.map(async (id) => (await put(id)) && isThere(id)));
  expect(stored).not.toContain(false);
  store.remove('card7', 1);
  await put('card7');
  await store.close();
  const next = await openCardFile(dir, notes());
  const left = await next.takeOver();
  await next.close();
  expect(left?.cards.map(({ id }) => id).sort()).toEqual(['first', ...ids].sort());
});
