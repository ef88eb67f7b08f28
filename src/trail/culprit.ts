import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, madeAt } from '../outcome.ts';
import type { Deletion, TrailDesk } from './desk.ts';
import type { TrailState } from './state.ts';

/** In ms: for how long, and how often, Discord is asked who it was; it may write that down a moment later. */
export const patience = 2_000;
const askEvery = 400;

/** As Discord's audit log has it: one by one, or in bulk; any where nobody heard how. */
export type How = 'one' | 'many' | 'any';

/** Somebody who deleted. `settle` puts it down to them; until then it is found again, also by a later process. */
export interface Culprit {
  by: Actor;
  settle(): Promise<void>;
}

interface Grown extends Deletion {
  /** Puts down to somebody's deed all that it counts, or one more. */
  all(): Promise<void>;
  once(): Promise<void>;
}

/**
 * Finds in Discord's audit log who deleted the bot's messages in the channel. `since`, in ms: what was written there before,
 * and is not counted, was told of before.
 */
export function createCulprits(
  desk: Pick<TrailDesk, 'deletions'>,
  state: Pick<TrailState, 'counted' | 'count'>,
  since: number,
) {
  /** As in Redis, which may lose it. */
  const mine = new Map<string, number>();
  /** Until when the audit log may be of other messages, too, in ms of the process. */
  let blurred = 0;

  /** What has grown since it was put down to anything; undefined without the right to look. */
  async function grown(how: How): Promise<Grown[] | undefined> {
    const told = how === 'any' ? await both() : await desk.deletions(how);
    if (told === undefined) return undefined;
    const counted = await state.counted();
    return told.flatMap(({ id, by, count }) => {
      const before = Math.max(mine.get(id) ?? -1, Number(counted[id] ?? -1));
      const isNew = before < 0 ? madeAt(id) >= since : count > before;
      const settle = async (n: number): Promise<void> => {
        mine.set(id, n);
        await state.count(id, n);
      };
      return isNew ? [{ id, by, count, all: () => settle(count), once: () => settle(Math.max(0, before) + 1) }] : [];
    });
  }

  async function both(): Promise<Deletion[] | undefined> {
    const [one, many] = [await desk.deletions('one'), await desk.deletions('many')];
    return one && many && [...one, ...many];
  }

  async function judged(found: readonly Grown[], how: How): Promise<Culprit | undefined> {
    const all = async (): Promise<void> => {
      for (const each of found) await each.all();
    };
    const [first] = found;
    if (first !== undefined && found.every(({ by }) => by.id === first.by.id))
      return { by: first.by, settle: how === 'any' ? all : how === 'many' ? first.all : first.once };
    await all();
    return undefined;
  }

  return {
    grown,
    /** Something else was deleted there; whose that was, nobody knows. */
    blur(): void {
      blurred = performance.now() + patience;
    },
    /** Puts all that there is down to what was not the trail's. */
    async forget(): Promise<void> {
      for (const each of (await grown('one')) ?? []) await each.all();
    },
    /** Who it was: nobody where several people may have been it, or Discord does not say. */
    async find(how: How, isClosed: () => boolean): Promise<Culprit | undefined> {
      const until = performance.now() + patience;
      for (;;) {
        const found = await grown(how);
        if (found === undefined) return undefined;
        const isOver = performance.now() >= until || isClosed();
        if (found.length > 0 && (isOver || performance.now() >= blurred)) return judged(found, how);
        if (isOver) return undefined;
        await delay(askEvery, undefined, { ref: false });
      }
    },
  };
}
