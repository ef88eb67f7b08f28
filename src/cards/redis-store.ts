import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { batches } from './batches.ts';
import { type CardRecord, type CardStore, cardRecord } from './record.ts';

export interface CardsInRedis {
  redis: Redis;
  processId: string;
  /** Which of these other processes are alive. Rejects if unknown. */
  alive(processIds: readonly string[]): Promise<ReadonlySet<string>>;
  log: Log;
  prefix?: string;
}

/** Expiry after the last change, in seconds. */
const expirySeconds = 7 * 86_400;
/** The field with the last entry that a process's cards reflect. */
const markOf = (processId: string): string => `@${processId}`;
/** The field of a card. An interaction delivered to two processes has one for each. */
const fieldOf = ({ processId, id }: Pick<CardRecord, 'processId' | 'id'>): string => `${processId}/${id}`;
const ownerOf = (field: string): string => (field.startsWith('@') ? field.slice(1) : (field.split('/')[0] ?? ''));

/**
 * Stores open cards in one hash that all processes share; `processId` is the owner of each. What Redis did not accept
 * is sent again with the next write.
 */
export function cardsInRedis({ redis, processId, alive, log, prefix = 'panelops:' }: CardsInRedis): CardStore {
  const key = `${prefix}cards`;
  /** Changes that Redis has not confirmed. */
  const unsent = new Map<string, CardRecord | 'gone'>();
  let troubled = false;

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
      try {
        const owners = new Set((await redis.hkeys(key)).map(ownerOf));
        owners.delete(processId);
        if (owners.size === 0) return { cards: [] };
        const living = await alive([...owners]);
        const isDead = (id: string): boolean => owners.has(id) && !living.has(id);
        // Cards are read only when somebody left them: there may be thousands.
        if (![...owners].some(isDead)) return { cards: [] };
        const fields = Object.entries(await redis.hgetall(key));
        const all = fields.flatMap(([, text]) => cardOf(text) ?? []);
        const marks = fields.flatMap(([field, text]) =>
          field.startsWith('@') ? [{ of: field.slice(1), seq: Number(text) }] : [],
        );
        const cards = all.filter((card) => isDead(card.processId));
        const dead = marks.filter(({ of }) => isDead(of));
        if (cards.length + dead.length === 0) return { cards };
        const moved = redis.multi();
        for (const card of cards) {
          moved.hset(key, fieldOf({ processId, id: card.id }), JSON.stringify({ ...card, processId }));
          moved.hdel(key, fieldOf(card));
        }
        const kept = Math.min(...dead.map(({ seq }) => seq));
        if (dead.length > 0) {
          // A process that takes over from this one begins where this one began.
          const own = marks.find(({ of }) => of === processId)?.seq ?? kept;
          moved.hset(key, markOf(processId), String(Math.min(kept, own)));
          moved.hdel(key, ...dead.map(({ of }) => markOf(of)));
        }
        // An unanswered move may have succeeded; without these records nobody would find the cards.
        await moved.exec().catch((error: unknown) => {
          log.warn({ problem: nameOf(error) }, 'cannot take over the open cards of a dead process');
        });
        return { cards, ...(dead.length === 0 ? {} : { kept }) };
      } catch (error) {
        log.debug({ problem: nameOf(error) }, 'cannot check for cards of dead processes');
        return { cards: [] };
      }
    },
    async close() {
      await writes.last();
      // After a clean stop nothing is open, or another process takes over.
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
