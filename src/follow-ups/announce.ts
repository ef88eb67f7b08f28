import { setTimeout as delay } from 'node:timers/promises';
import type { Card } from '../card.ts';
import { postOnce } from '../cards/announce.ts';
import type { Messages } from '../cards/messages.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { botActor, entryOf, type FollowUp, find } from './follow-up.ts';

/** What of the cards follow-ups use. */
export interface Cards {
  /** A look brought news: the card is drawn again soon. */
  changed(invocationId: string): void;
  /** Resolves when the card shows what the ledger knows, or after so many ms. */
  shown(invocationId: string, ms: number): Promise<void>;
  /** What is posted at the end of all that an invocation has followed. Pure. */
  announcement(invocationId: string): Card | undefined;
  /** A reminder that nobody has said how a run ended; `n` counts them from 1. Pure. */
  reminder(run: string, n: number): Card | undefined;
}

export interface Announcing {
  ledger: Pick<Ledger, 'append' | 'run' | 'runs'>;
  messages: Pick<Messages, 'find' | 'reply'>;
  cards: Pick<Cards, 'shown' | 'announcement'>;
  now(): number;
}

/** How long the card gets to show the end before the message that pings is posted, in ms. */
const patience = 2_000;

/**
 * Posts the one message that pings at the end, and records that. It may be cut short anywhere and done again: the channel is searched
 * before it is posted. False: other servers of the command are still to come. Rejects where Discord or the ledger is away.
 */
export async function announce(parts: Announcing, run: string): Promise<boolean> {
  const { ledger, now } = parts;
  const followUp = find(ledger, run);
  if (followUp?.ended === undefined || followUp.announced) return true;
  if (!isBegun(parts, followUp) && now() < followUp.deadline) return false;
  const message = isLast(parts, followUp, followUp.ended.seq) ? await ping(parts, followUp) : undefined;
  await unlessRefused(ledger.append([{ ...entryOf(followUp, botActor, message), step: 'announced' }]));
  return true;
}

/** Whether it was recorded; not where the rules do not allow it any more. */
export async function unlessRefused(appended: Promise<unknown>): Promise<boolean> {
  try {
    await appended;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** The same messages; whoever has searched knows what others recorded meanwhile. */
export const upToDate = (
  { find: search, reply }: Pick<Messages, 'find' | 'reply'>,
  ledger: Pick<Ledger, 'refresh'>,
): Pick<Messages, 'find' | 'reply'> => ({
  reply,
  async find(...which) {
    const found = await search(...which);
    await ledger.refresh();
    return found;
  },
});

/** Every server of its command has been sent to, or never will be. */
const isBegun = ({ ledger }: Announcing, { invocationId, width }: FollowUp): boolean =>
  ledger.runs(invocationId).filter(({ outcome }) => outcome !== undefined).length >= width;

/** Whether it is the one on its card that ended last: that one speaks for all. */
const isLast = ({ ledger }: Announcing, { invocationId }: FollowUp, seq: number): boolean =>
  ledger
    .runs(invocationId)
    .every(({ followUp }) => followUp === undefined || (followUp.ended?.seq ?? Number.POSITIVE_INFINITY) <= seq);

/** Nobody is pinged about what nobody follows. The ping never depends on what becomes of the card. */
async function ping(
  { ledger, messages, cards }: Announcing,
  { run, invocationId, place, card, ended }: FollowUp,
): Promise<string | undefined> {
  const followed = ledger.runs(invocationId).flatMap(({ followUp }) => followUp ?? []);
  const pings = new Set(followed.flatMap(({ ended: each, notify }) => (each?.end === 'stopped' ? [] : notify.id)));
  if (pings.size === 0 || ended === undefined) return undefined;
  await Promise.race([cards.shown(invocationId, patience).catch(() => undefined), delay(patience)]);
  // It may have moved meanwhile.
  const to = { channel: place.channel, message: find(ledger, run)?.card ?? card };
  const since = Date.parse(ended.time);
  return postOnce(messages, to, { card: () => cards.announcement(invocationId), pings: [...pings], since });
}
