import type { Redis } from 'ioredis';
import { jsonIn } from '../json.ts';
import type { Log } from '../outcome.ts';
import { toldOnce } from '../waits.ts';
import { batches, type CardRecord, type CardStore, cardRecord } from './record.ts';

/** Expiry after the last change, in seconds. */
const expirySeconds = 7 * 86_400;

/** Stores open cards in one hash, by id. What Redis did not accept is sent again with the next write. */
export function cardsInRedis(redis: Redis, log: Log, prefix = 'panelops:'): CardStore {
  const key = `${prefix}cards`;
  /** Changes that Redis has not confirmed. */
  const unsent = new Map<string, CardRecord | 'gone'>();
  /** Cards of this process, until those of the last leader are taken over. */
  const own = new Set<string>();
  const trouble = toldOnce(log, 'cannot store open cards in Redis');
  let isTaken = false;

  const writes = batches(async (): Promise<boolean> => {
    const wanted = [...unsent];
    try {
      // Atomic: a card removed and added again in between must not end up removed.
      const sent = redis.multi();
      const open = wanted.flatMap(([id, card]) => (card === 'gone' ? [] : [id, JSON.stringify(card)]));
      const gone = wanted.flatMap(([id, card]) => (card === 'gone' ? [id] : []));
      if (open.length > 0) sent.hset(key, ...open);
      if (gone.length > 0) sent.hdel(key, ...gone);
      await sent.expire(key, expirySeconds).exec();
      trouble.over();
      for (const [id, card] of wanted) if (unsent.get(id) === card) unsent.delete(id);
      return true;
    } catch (error) {
      trouble.say(nameOf(error));
      return false;
    }
  });

  return {
    put(card) {
      if (!isTaken) own.add(card.id);
      unsent.set(card.id, card);
      return writes.add(undefined);
    },
    remove(id) {
      unsent.set(id, 'gone');
      void writes.add(undefined);
    },
    async takeOver() {
      if (isTaken) return undefined;
      try {
        const left = Object.entries(await redis.hgetall(key)).filter(([field]) => !own.has(field));
        const cards = left.flatMap(([, text]) => cardRecord.safeParse(jsonIn(text)).data ?? []);
        // An earlier release had other fields.
        const fields = new Map(cards.map((card) => [card.id, JSON.stringify(card)]));
        const others = left.map(([field]) => field).filter((field) => !fields.has(field));
        if (others.length > 0) {
          const sent = redis.multi().hdel(key, ...others);
          for (const [id, card] of fields) sent.hset(key, id, card);
          await sent.exec();
        }
        isTaken = true;
        return { cards };
      } catch (error) {
        log.debug({ problem: nameOf(error) }, 'cannot look for the cards that the last leader left');
        return undefined;
      }
    },
    close: async () => void (await writes.last()),
  };
}

/** The name only: an error's message may quote a token. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
