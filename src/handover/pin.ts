import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { counts, gather, type OpenRecords } from '../view/handover.ts';
import { every } from '../waits.ts';

/** One message of the bot per channel, found by its first words. All reject when Discord refuses. */
export interface PinnedMessages {
  /** Searches the pins, then the newest hundred messages. */
  find(channel: string, start: string): Promise<{ message: string; pinned: boolean; text: string } | undefined>;
  /** Notifies nobody. Returns the message's id. */
  post(channel: string, text: string): Promise<string>;
  /** 'too-old': Discord allows no more edits. 'gone': the message is deleted, or the bot lacks the permission to edit it. */
  edit(channel: string, message: string, text: string): Promise<'edited' | 'too-old' | 'gone'>;
  pin(channel: string, message: string): Promise<boolean>;
  unpin(channel: string, message: string): Promise<void>;
}

export interface PinParts {
  ledger: OpenRecords & Pick<Ledger, 'isHeld'>;
  messages: PinnedMessages;
  /** The current channels. */
  channels(): readonly string[];
  /** How often to check whether the counts changed, and so the shortest time between edits, in ms. */
  every: number;
  now(): number;
  log: Log;
}

export interface Pins {
  /** Current problems, one sentence each. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

interface Pinned {
  message: string;
  pinned: boolean;
  text: string;
}

/** After this many checks, search for the message again: somebody may have deleted it. */
const checksBetweenSearches = 20;

const start = '**Handover** · ';

function textOf({ ledger, now }: Pick<PinParts, 'ledger' | 'now'>): string {
  const open = counts(gather(ledger, () => true, now()));
  return open === undefined
    ? `${start}nothing is open.`
    : `${start}open: ${open.markup}. /handover shows which, since when and by whom.`;
}

const unpinned = (channel: string): string =>
  `The handover message in <#${channel}> cannot be pinned: give the bot Pin Messages there.`;

/** Keeps one message per channel that counts what is open. */
export function keepPins(parts: PinParts): Pins {
  const known = new Map<string, Pinned>();
  let turns = 0;
  const troubles = new Map<string, string>();

  /** Logs a problem once, until it changes. */
  function trouble(channel: string, words: string | undefined): void {
    if (words !== undefined && troubles.get(channel) !== words) parts.log.warn({ channel }, words);
    if (words === undefined) troubles.delete(channel);
    else troubles.set(channel, words);
  }

  async function replace(channel: string, text: string, old?: Pinned): Promise<Pinned> {
    // First, so that a failure is retried: a pinned message with old counts would stay for good.
    if (old?.pinned) await parts.messages.unpin(channel, old.message);
    return pinned(channel, { message: await parts.messages.post(channel, text), pinned: false, text });
  }

  /** What it says is known also where the pin fails: else the same would be posted again. */
  async function pinned(channel: string, now: Pinned): Promise<Pinned> {
    known.set(channel, now);
    return { ...now, pinned: now.pinned || (await parts.messages.pin(channel, now.message)) };
  }

  async function write(channel: string, text: string): Promise<Pinned> {
    const old = known.get(channel) ?? (await parts.messages.find(channel, start));
    if (old === undefined) return replace(channel, text);
    known.set(channel, old);
    if (old.text === text && old.pinned) return old;
    const edited = old.text === text ? 'edited' : await parts.messages.edit(channel, old.message, text);
    if (edited !== 'edited') return replace(channel, text, edited === 'too-old' ? old : undefined);
    return pinned(channel, { ...old, text });
  }

  async function keep(channel: string, text: string): Promise<void> {
    if (known.get(channel)?.text === text) return;
    try {
      const now = await write(channel, text);
      known.set(channel, now);
      trouble(channel, now.pinned ? undefined : unpinned(channel));
    } catch (error) {
      parts.log.debug({ channel, problem: String(error) }, 'cannot write the handover message');
      trouble(channel, `The handover message in <#${channel}> cannot be written.`);
    }
  }

  /** Unpins the message of a channel that left the policy: nobody would update its counts. */
  async function release(channel: string, { message, pinned }: Pinned): Promise<void> {
    trouble(channel, undefined);
    try {
      if (pinned) await parts.messages.unpin(channel, message);
      known.delete(channel);
    } catch (error) {
      // The message stays known, so the next turn retries.
      parts.log.debug({ channel, problem: String(error) }, 'cannot unpin the handover message');
    }
  }

  async function turn(): Promise<void> {
    const channels = parts.channels();
    if (channels.length === 0 && known.size === 0) return;
    if (!parts.ledger.isHeld()) return;
    for (const [channel, pinned] of [...known]) if (!channels.includes(channel)) await release(channel, pinned);
    turns += 1;
    if (turns % checksBetweenSearches === 0) for (const channel of channels) known.delete(channel);
    const text = textOf(parts);
    for (const channel of channels) await keep(channel, text);
  }

  const failed = (error: unknown): void =>
    parts.log.debug({ problem: String(error) }, 'handover counts could not be updated');
  return {
    troubles: () => [...troubles.values()],
    close: every(parts.every, () => turn().catch(failed)),
  };
}
