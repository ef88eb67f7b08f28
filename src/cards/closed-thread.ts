import { type Card, trusted } from '../card.ts';
import { ChannelClosed, idAt } from '../outcome.ts';
import { interactionOf } from '../runs/ids.ts';
import type { Drawn } from './draw.ts';
import { clockSkew, inFirst, type Messages, moved, type Where } from './messages.ts';

/** Thread operations beside edits. A closed thread accepts no edits. */
export interface Threads {
  /** Whether the message already shows the card's first line. */
  reads(message: Where, card: Card): Promise<boolean>;
  /** Posts a message visible only to the person of this interaction. */
  whisper(token: string, card: Card): Promise<void>;
  /** Calls `listener` with a thread that is open now and may have been closed before. */
  onOpened(listener: (thread: string) => void): void;
}

/** The `seq` of the newest entry announced beside a card that cannot be edited; the last interaction whose person was told. */
export interface ShownBeside {
  said?: number;
  told?: string;
}

export interface ClosedThreadParts {
  messages: Pick<Messages, 'find' | 'reply'>;
  threads: Pick<Threads, 'reads' | 'whisper'>;
  /** Fallback channels for a card in a locked thread: the first that exists is used. */
  elsewhere(): readonly string[];
}

/**
 * Posts the news of a card in a closed thread when its first line is outdated: as a reply, which opens the thread, or
 * elsewhere if the thread is locked. True: the card may be edited now.
 */
export async function sayBeside(
  { messages, threads, elsewhere }: ClosedThreadParts,
  { id, shown }: { id: string; shown: ShownBeside },
  { channel, message: known, card, news }: Drawn,
): Promise<boolean> {
  if (news === undefined || card.state === 'working' || shown.said === news.seq) return false;
  // A crash came before Discord's answer.
  const message = known ?? (await messages.find({ channel, message: interactionOf(id) }, card).catch(unlessClosed));
  if (message !== undefined && (await threads.reads({ channel, message }, card))) {
    shown.said = news.seq;
    return false;
  }
  const about: Card = { ...card, run: `${id} · entry ${news.seq}`, buttons: [], files: [] };
  const since = idAt(Date.parse(news.time) - clockSkew);
  const place = await inFirst([channel, ...elsewhere()], async (each) => {
    const body = each === channel ? [opening] : [...card.body, moved];
    // Perhaps posted before a crash.
    const found = await messages.find({ channel: each, message: since }, about);
    const posted =
      found ??
      (await messages.reply(
        { channel: each, ...(message && { message }) },
        { ...about, body, ...(each === channel ? { next: [] } : {}) },
      ));
    return posted === undefined ? 'gone' : each;
  });
  shown.said = news.seq;
  return place === channel;
}

/** What the bot may not see is said elsewhere. */
function unlessClosed(error: unknown): undefined {
  if (!(error instanceof ChannelClosed)) throw error;
}

const opening = trusted('Its card could not be changed while this thread was closed. This message opened the thread.');

/** Tells the person who clicked about the result, once, if the card cannot. */
export async function tellClicker(
  { threads }: Pick<ClosedThreadParts, 'threads'>,
  shown: ShownBeside,
  { card }: Drawn,
  interaction: { id: string; token: string } | undefined,
): Promise<void> {
  if (interaction === undefined || card.state === 'working' || shown.told === interaction.id) return;
  await threads.whisper(interaction.token, beside(card, closed));
  shown.told = interaction.id;
}

const closed = trusted('The thread is closed: its card shows this once somebody opens the thread.');

/** A card for one person alone, because its message takes no edit. */
export const beside = (card: Card, why = trusted('The thread is closed: only you see this.')): Card => ({
  ...card,
  buttons: [],
  body: [...card.body, why],
});
