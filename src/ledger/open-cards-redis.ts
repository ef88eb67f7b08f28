import type { Redis } from 'ioredis';
import type { Log } from '../outcome.ts';
import { type CardKey, type OpenCard, type OpenCardStore, oldestFirst, parseCard, problemOf } from './open-cards.ts';

/** A card's field in the hash. An interaction that was delivered to two processes has one for each. */
const fieldOf = ({ owner, interaction }: CardKey): string => `${owner}/${interaction}`;

/**
 * Keeps open cards in one Redis hash, where every process on that Redis sees them: `owner` says whose each is. `put` and
 * `remove` are on their way when they return; what Redis did not take is sent again when it is back, and with each `list`.
 * While Redis does not answer, `list` gives the cards of this process. Cards are kept until they are removed.
 */
export function redisOpenCards(redis: Redis, log: Log, { prefix = 'panelops:' } = {}): OpenCardStore {
  const key = `${prefix}open-cards`;
  /** Put here and not removed. */
  const mine = new Map<string, OpenCard>();
  /** What Redis has not confirmed yet: the card as it is to be, or that it is to go. */
  const owed = new Map<string, OpenCard | 'gone'>();
  /** For each list under way, what was removed meanwhile: Redis may have answered from before. */
  const removals = new Set<Set<string>>();
  let troubled = false;

  async function send(field: string): Promise<void> {
    const wanted = owed.get(field);
    if (wanted === undefined) return;
    try {
      if (wanted === 'gone') await redis.hdel(key, field);
      else await redis.hset(key, field, JSON.stringify(wanted));
      troubled = false;
      if (owed.get(field) === wanted) owed.delete(field);
    } catch (error) {
      if (!troubled) log.warn({ problem: problemOf(error) }, 'open cards cannot be stored in Redis');
      troubled = true;
    }
  }
  const sendAll = () => Promise.all([...owed.keys()].map(send));
  redis.on('ready', sendAll);

  function read([field, text]: [string, string]): OpenCard | undefined {
    try {
      return parseCard(text);
    } catch (error) {
      log.warn({ card: field, problem: problemOf(error) }, 'an open card cannot be read and is skipped');
      return undefined;
    }
  }

  return {
    put(card) {
      const field = fieldOf(card);
      // Copied: the caller's object may change before it is sent again.
      const copy = structuredClone(card);
      mine.set(field, copy);
      owed.set(field, copy);
      void send(field);
    },
    remove(card) {
      const field = fieldOf(card);
      mine.delete(field);
      owed.set(field, 'gone');
      for (const removed of removals) removed.add(field);
      void send(field);
    },
    async list() {
      const removed = new Set([...owed].flatMap(([field, wanted]) => (wanted === 'gone' ? [field] : [])));
      removals.add(removed);
      try {
        await sendAll();
        const stored = Object.entries(await redis.hgetall(key)).filter(([field]) => !mine.has(field));
        const cards = [...stored.map(read), ...mine.values()];
        return oldestFirst(cards.filter((card) => card !== undefined && !removed.has(fieldOf(card))));
      } catch (error) {
        if (!troubled) log.warn({ problem: problemOf(error) }, 'the open cards in Redis cannot be read');
        troubled = true;
        return oldestFirst([...mine.values()]);
      } finally {
        removals.delete(removed);
      }
    },
  };
}
