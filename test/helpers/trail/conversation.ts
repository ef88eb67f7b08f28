import { expect } from 'vitest';
import type { Person } from '../person.ts';
import { openWorld, type World } from '../world.ts';
import { reaches } from './process.ts';

/**
 * A bot that looks and posts within milliseconds, once its whole ledger is in the audit channel; stopped with the test.
 * `patience`: how long lines may wait before the channel counts as behind, in ms.
 */
export async function startWithTrail(policy?: string, patience = 60_000): Promise<World> {
  const world = await openWorld({
    ...{ audit: true, still: true, policy },
    intervals: { trail: { between: 10, retry: 50, look: 50, patience } },
    discord: { limits: { posts: false, global: false } },
  });
  await reaches(world.discord, () => world.entries().length);
  return world;
}

/** Types the line again and again until the answer has these words; gives that answer. */
export async function typesUntil(person: Person, line: string, words: string): Promise<string> {
  let text = '';
  const again = async () => {
    text = await person.types(line);
    return text;
  };
  await expect.poll(again, { timeout: 10_000 }).toContain(words);
  return text;
}
