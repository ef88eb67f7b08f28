import type { Card } from '../card.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import { botActor, entryOf, type FollowUp, find } from './follow-up.ts';
import { createLine } from './line.ts';

/** A message in a channel. */
export interface Where {
  channel: string;
  message: string;
}

/** What of Discord a follow-up needs. */
export interface FollowUpDesk {
  /** 'too-old': Discord takes no more edits of this message (30046). 'gone': it, or the right to edit it, is no more. */
  edit(where: Where, card: Card): Promise<'edited' | 'too-old' | 'gone'>;
  /** Posts a reply that notifies these users and nobody else. Answers its id; undefined when the channel is no more. */
  reply(where: Where, card: Card, pings?: readonly string[]): Promise<string | undefined>;
  /** The newest message of the bot's after this one that has the same run and pings the same users, if there is one. */
  find(after: Where, card: Card, pings?: readonly string[]): Promise<string | undefined>;
}

/** Shows cards of follow-ups without making looks wait for Discord. */
export interface Shower {
  /** Soon: on change only, never more often than `every`; the newest card wins. */
  show(followUp: FollowUp, card: Card): void;
  /** Now: the last card of a follow-up. Rejects when Discord does not take it. */
  settle(followUp: FollowUp, card: Card): Promise<void>;
  close(): void;
}

export interface ShowerParts {
  ledger: Pick<Ledger, 'append' | 'runs' | 'refresh'>;
  desk: FollowUpDesk;
  /** In ms. */
  every: number;
  now(): number;
  log: Log;
}

interface Showing {
  face: string;
  at: number;
  next?: { followUp: FollowUp; card: Card };
  timer?: NodeJS.Timeout;
  /** It waits for its turn in the channel. */
  due?: true;
  /** The edit that is under way; never rejects. */
  under?: Promise<void>;
}

export function createShower(parts: ShowerParts): Shower {
  /** By the invocation, because several servers share a card. */
  const shown = new Map<string, Showing>();
  /** Discord takes about one edit a second in a channel: what waited inside of discord.js could be neither renewed nor overtaken. */
  const line = createLine(1);
  let closed = false;
  const of = (stem: string): Showing => {
    const known = shown.get(stem) ?? { face: '', at: 0 };
    shown.set(stem, known);
    return known;
  };

  /** Edits the card; where it has become too old, a reply takes its place, and the ledger says so. */
  async function put(followUp: FollowUp, card: Card): Promise<void> {
    const { channel } = followUp.place;
    const where = { channel, message: find(parts.ledger, followUp.run)?.card ?? followUp.card };
    if ((await parts.desk.edit(where, card)) !== 'too-old') return;
    // Posted before a crash, it may say something older.
    const found = await parts.desk.find(where, card);
    const message = found ?? (await parts.desk.reply(where, card));
    if (message === undefined) return;
    await parts.ledger.append([{ ...entryOf(followUp, botActor, message), step: 'moved' }]);
    if (found !== undefined) await parts.desk.edit({ channel, message }, card);
  }

  function schedule(stem: string, showing: Showing): void {
    const { under, timer, due, next } = showing;
    if (closed || under !== undefined || timer !== undefined || due || next === undefined) return;
    const edit = async (): Promise<void> => {
      delete showing.due;
      showing.under = flush(showing);
      await showing.under;
      delete showing.under;
      schedule(stem, showing);
    };
    const begin = (): void => {
      delete showing.timer;
      showing.due = true;
      void line(next.followUp.place.channel, 'later', edit);
    };
    showing.timer = setTimeout(begin, Math.max(0, showing.at + parts.every - parts.now())).unref();
  }

  async function flush(showing: Showing): Promise<void> {
    const { next } = showing;
    if (next === undefined) return;
    const { followUp, card } = next;
    delete showing.next;
    showing.at = parts.now();
    try {
      // Another process may have taken the follow-up on, to its end.
      await parts.ledger.refresh();
      if (faceOf(card) === showing.face || isOver(parts.ledger, followUp)) return;
      await put(followUp, card);
      showing.face = faceOf(card);
    } catch (error) {
      parts.log.warn({ followUp: followUp.id, problem: String(error) }, 'the card of a follow-up was not edited yet');
      showing.next ??= next;
    }
  }

  return {
    show(followUp, card) {
      const showing = of(followUp.stem);
      if (faceOf(card) === showing.face && showing.under === undefined) {
        delete showing.next;
        return;
      }
      showing.next = { followUp, card };
      schedule(followUp.stem, showing);
    },
    async settle(followUp, card) {
      const showing = of(followUp.stem);
      clearTimeout(showing.timer);
      delete showing.next;
      await showing.under;
      await line(followUp.place.channel, 'first', () => put(followUp, card));
      shown.delete(followUp.stem);
    },
    close() {
      closed = true;
      for (const { timer } of shown.values()) clearTimeout(timer);
      shown.clear();
    },
  };
}

/** Everything on the card has ended: its last word is said elsewhere. */
const isOver = (ledger: Pick<Ledger, 'runs'>, { stem }: FollowUp): boolean =>
  ledger.runs(stem).every(({ followUp }) => followUp === undefined || followUp.ended !== undefined);

const faceOf = (card: Card): string => JSON.stringify(card);
