import type { View } from '../protocol.ts';
import { spokenOf } from './message.ts';
import { channelNow, type Page } from './page.ts';

const longest = 300;

/** The screen reader text of the newest message that is new or changed; empty if there is none. */
export function newsIn(page: Page, before: View | undefined, after: View): string {
  const channel = channelNow(page)?.id ?? '';
  const old = new Map((before?.messages[channel] ?? []).map((seen) => [seen.message.id, spokenOf(page, seen)]));
  if (before === undefined || before.me !== after.me) return '';
  const news = (after.messages[channel] ?? []).filter((seen) => old.get(seen.message.id) !== spokenOf(page, seen));
  const last = news.at(-1);
  if (last === undefined) return '';
  return `${last.message.author.username}: ${spokenOf(page, last)}`.slice(0, longest);
}
