import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { batches, type CardRecord, type CardStore, cardRecord } from './record.ts';

export interface CardsInRedis {
  redis: Redis;
  processId: string;
  log: Log;
  prefix?: string;
}

/** Expiry after the last change, in seconds. */
const expirySeconds = 7 * 86_400;
/** The field with the last entry that a process's cards reflect. */
const markOf = (processId: string): string => `@${processId}`;
/** The field of a card. */
const fieldOf = ({ processId, id }: Pick<CardRecord, 'processId' | 'id'>): string => `${processId}/${id}`;

/**
 * Stores open cards in one hash, which the next leader takes over; `processId` is the owner of each. What Redis did not
 * accept is sent again with the next write.
 */
export function cardsInRedis({ redis, processId, log, prefix = 'panelops:' }: CardsInRedis): CardStore {
  const key = `${prefix}cards`;
  /** Changes that Redis has not confirmed. */
  const unsent = new Map<string, CardRecord | 'gone'>();
  let troubled = false;
  let isTaken = false;

  const writes = batches(async (seqs: readonly number[]): Promise<boolean> => {
    const wanted = [...unsent];
    const cards = wanted.flatMap(([id, card]) =>
      card === 'gone' ? [] : [[fieldOf({ processId, id }), JSON.stringify(card)] as const],
    );
    const gone = wanted.flatMap(([id, card]) => (card === 'gone' ? [fieldOf({ processId, id })] : []));
    try {
      // Atomic: a card removed and added again in between must not end up removed.
      const sent = redis.multi().hset(key, Object.fromEntries([...cards, [markOf(processId), String(seqs.at(-1))]]));
      if (gone.length > 0) sent.hdel(key, ...gone);
      await sent.expire(key, expirySeconds).exec();
      troubled = false;
      for (const [id, card] of wanted) if (unsent.get(id) === card) unsent.delete(id);
    } catch (error) {
      if (!troubled) log.warn({ problem: nameOf(error) }, 'cannot store open cards in Redis');
      troubled = true;
    }
    return !troubled;
  });

  return {
    put(card, seq) {
      unsent.set(card.id, card);
      return writes.add(seq);
    },
    remove(id, seq) {
      unsent.set(id, 'gone');
      void writes.add(seq);
    },
    async takeOver() {
      if (isTaken) return { cards: [] };
      try {
        const fields = Object.entries(await redis.hgetall(key));
        const left = fields.filter(([field]) => field !== markOf(processId) && !field.startsWith(`${processId}/`));
        const cards = left.flatMap(([, text]) => cardOf(text) ?? []);
        const marks = left.flatMap(([field, text]) => (field.startsWith('@') ? [Number(text)] : []));
        if (left.length > 0) {
          const moved = redis.multi();
          for (const card of cards)
            moved.hset(key, fieldOf({ processId, id: card.id }), JSON.stringify({ ...card, processId }));
          // The next leader begins where this one began.
          if (marks.length > 0) moved.hset(key, markOf(processId), String(Math.min(...marks)));
          await moved.hdel(key, ...left.map(([field]) => field)).exec();
        }
        isTaken = true;
        return { cards, ...(marks.length === 0 ? {} : { kept: Math.min(...marks) }) };
      } catch (error) {
        log.debug({ problem: nameOf(error) }, 'cannot look for the cards that the last leader left');
        return { cards: [] };
      }
    },
    async close() {
      await writes.last();
      // After a clean stop nothing is open, or the next leader takes over.
      await redis.hdel(key, markOf(processId)).catch(() => undefined);
    },
  };
}

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});

const cardOf = (text: string): CardRecord | undefined => json.pipe(cardRecord).safeParse(text).data;

/** The name only: an error's message may quote a token. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
