import type { AuditChannel, Message } from './channel.ts';
import { trailRange } from './compare.ts';
import type { Posted } from './position.ts';

const pageSize = 100;

/** The default maximum number of pages to read. */
export const maxPages = 1_000;

/** The channel has more messages than the limit. */
export class TooManyMessages extends Error {
  constructor() {
    super('too many messages since the last of the trail');
    this.name = 'TooManyMessages';
  }
}

/** The channel's messages, newest first, back to its beginning. Rejects with TooManyMessages after `most` pages. */
export async function* history(
  channel: Pick<AuditChannel, 'page'>,
  most: number,
): AsyncGenerator<readonly Message[], void> {
  let before: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const messages = await channel.page(before);
    yield messages;
    if (messages.length < pageSize) return;
    before = messages.at(-1)?.id;
  }
  throw new TooManyMessages();
}

const isTrail = (message: Message): boolean => trailRange(message) !== undefined;

export const postedIn = (messages: readonly Message[]): Posted[] =>
  messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range }];
  });

/** The newest messages of the trail, oldest first: at least `least`, if there are as many. Skips other messages. */
export async function latest(channel: Pick<AuditChannel, 'page'>, least: number, most: number): Promise<Message[]> {
  const all: Message[] = [];
  for await (const messages of history(channel, most)) {
    all.push(...messages.filter(isTrail));
    if (all.length >= least) break;
  }
  return all.reverse();
}
