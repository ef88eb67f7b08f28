import { channelNow, type Page } from './page.ts';

const newestIn = ({ state }: Page, channel: string): string | undefined =>
  state.view?.messages[channel]?.at(-1)?.message.id;

/** Remembers what was seen: the open channel, and everything that existed when the page was opened. */
export function markRead(page: Page): void {
  const { view, read } = page.state;
  const here = channelNow(page)?.id;
  if (view === undefined) return;
  const now = view.channels.filter(
    ({ id }) => (id === here || read.size === 0) && read.get(id) !== (newestIn(page, id) ?? ''),
  );
  if (now.length === 0) return;
  page.set({ read: new Map([...read, ...now.map(({ id }) => [id, newestIn(page, id) ?? ''] as const)]) });
}

/** Whether a channel has messages that were not seen. Message ids grow with time. */
export function isUnread(page: Page, channel: string): boolean {
  const newest = newestIn(page, channel);
  return newest !== undefined && BigInt(newest) > BigInt(page.state.read.get(channel) || 0);
}
