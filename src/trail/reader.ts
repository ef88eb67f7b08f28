import { type Message, trailRange } from './compare.ts';
import type { TrailDesk } from './desk.ts';
import type { Posted } from './place.ts';

/** What a page of a channel holds at most. */
export const pageSize = 100;

/** How many pages are read at most, unless told otherwise. */
export const mostPages = 1_000;

/** The channel's messages, newest first. The last thing may be that they were refused, or that there are more than so many pages. */
export async function* history(
  desk: TrailDesk,
  most: number,
): AsyncGenerator<readonly Message[] | 'closed' | 'more', void> {
  let before: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const messages = await desk.page(before);
    yield messages;
    if (messages === 'closed' || messages.length < pageSize) return;
    before = messages.at(-1)?.id;
  }
  yield 'more';
}

/** Those that are the trail's. */
export const postedIn = (messages: readonly Message[]): Posted[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range }];
  });

/** The newest messages of the trail, oldest first: at least so many if there are as many, whatever stands between them. */
export async function latest(desk: TrailDesk, least: number, most: number): Promise<Message[] | 'closed' | 'more'> {
  const all: Message[] = [];
  for await (const messages of history(desk, most)) {
    if (messages === 'closed' || messages === 'more') return messages;
    all.push(...messages.filter((message) => trailRange(message) !== undefined));
    if (all.length >= least) break;
  }
  return all.reverse();
}
