import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import { type CardRecord, type CardStore, cardRecord } from './record.ts';

export interface CardsInRedis {
  redis: Redis;
  processId: string;
  /** Which of these processes, not this one, live. Rejects when that cannot be told. */
  alive(processIds: readonly string[]): Promise<ReadonlySet<string>>;
  log: Log;
  prefix?: string;
}

/** Kept for so long after the last change, in seconds. */
const expiry = 7 * 86_400;
/** The field of a process: up to which entry it has kept up. */
const markOf = (processId: string): string => `@${processId}`;
/** The field of a card: an interaction that was delivered to two processes has one for each. */
const fieldOf = ({ processId, id }: Pick<CardRecord, 'processId' | 'id'>): string => `${processId}/${id}`;

/**
 * Keeps open cards in one hash that all processes see: `processId` says whose each is. What Redis did not take is sent again with
 * the next one.
 */
export function cardsInRedis({ redis, processId, alive, log, prefix = 'panelops:' }: CardsInRedis): CardStore {
  const key = `${prefix}cards`;
  /** What Redis has not confirmed: the card as it is to be, or that it is to go. */
  const unsent = new Map<string, CardRecord | 'gone'>();
  let troubled = false;

  async function send(seq: number): Promise<boolean> {
    const wanted = [...unsent];
    const cards = wanted.flatMap(([id, card]) =>
      card === 'gone' ? [] : [[fieldOf({ processId, id }), JSON.stringify(card)] as const],
    );
    const gone = wanted.flatMap(([id, card]) => (card === 'gone' ? [fieldOf({ processId, id })] : []));
    try {
      // In one step: a card that goes and comes back in between must not go last.
      const sent = redis.multi().hset(key, Object.fromEntries([...cards, [markOf(processId), String(seq)]]));
      if (gone.length > 0) sent.hdel(key, ...gone);
      await sent.expire(key, expiry).exec();
      troubled = false;
      for (const [id, card] of wanted) if (unsent.get(id) === card) unsent.delete(id);
    } catch (error) {
      if (!troubled) log.warn({ problem: nameOf(error) }, 'open cards cannot be stored in Redis');
      troubled = true;
    }
    return !troubled;
  }

  return {
    put(card, seq) {
      unsent.set(card.id, card);
      return send(seq);
    },
    remove(id, seq) {
      unsent.set(id, 'gone');
      void send(seq);
    },
    async takeOver() {
      try {
        const fields = Object.entries(await redis.hgetall(key));
        const all = fields.flatMap(([, text]) => cardOf(text) ?? []);
        const marks = fields.flatMap(([field, text]) =>
          field.startsWith('@') ? [{ of: field.slice(1), seq: Number(text) }] : [],
        );
        const owners = new Set([...all.map((card) => card.processId), ...marks.map(({ of }) => of)]);
        owners.delete(processId);
        if (owners.size === 0) return { cards: [] };
        const living = await alive([...owners]);
        const isDead = (id: string): boolean => id !== processId && !living.has(id);
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
          // Whoever takes over from this one begins where it began.
          const own = marks.find(({ of }) => of === processId)?.seq ?? kept;
          moved.hset(key, markOf(processId), String(Math.min(kept, own)));
          moved.hdel(key, ...dead.map(({ of }) => markOf(of)));
        }
        // Without an answer it may be done all the same, and nobody would find them again.
        await moved.exec().catch((error: unknown) => {
          log.warn({ problem: nameOf(error) }, 'open cards of a process that is no more could not be moved');
        });
        return { cards, ...(dead.length === 0 ? {} : { kept }) };
      } catch (error) {
        log.debug({ problem: nameOf(error) }, 'nobody looked for cards of processes that are no more');
        return { cards: [] };
      }
    },
    async close() {
      // Nothing is open of a process that stops in order, or another one takes it over.
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

/** Without its message, which may quote a token. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
