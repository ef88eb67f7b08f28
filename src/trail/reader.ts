import { type Message, trailRange } from './compare.ts';
import type { TrailDesk } from './desk.ts';
import type { Posted } from './place.ts';

/** What a page of a channel holds at most. */
export const pageSize = 100;

/** The channel's messages, newest first, at most so many pages; the last thing may be that they were refused. */
export async function* history(desk: TrailDesk, most: number): AsyncGenerator<readonly Message[] | 'closed', void> {
  let before: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const messages = await desk.page(before);
    yield messages;
    if (messages === 'closed' || messages.length < pageSize) return;
    before = messages.at(-1)?.id;
  }
}

/** Those that are the trail's. */
export const postedIn = (messages: readonly Message[]): Posted[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range }];
  });

/** All messages of so many pages, oldest first. */
export async function latest(desk: TrailDesk, most: number): Promise<Message[] | 'closed'> {
  const all: Message[] = [];
  for await (const messages of history(desk, most)) {
    if (messages === 'closed') return messages;
    all.push(...messages);
  }
  return all.reverse();
}
