import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Card } from '../card.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import { alertName } from '../runs/alerts.ts';
import type { Records } from '../runs/book.ts';
import { newestFirst } from '../runs/entries.ts';
import { type Entry, isOfRun } from '../runs/entry.ts';
import { changedBy } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { walk } from '../walk.ts';
import { keepAsides, type TakeBack } from './asides.ts';
import type { Threads } from './closed-thread.ts';
import { createEditor, type EditorParts, type Interaction, type Shown, type Step, setShown } from './editor.ts';
import { answering, createItems, type Item, type Items } from './items.ts';
import type { CardStore, Opened } from './record.ts';
import { createTurns, type Pace } from './turns.ts';

export type { Pace } from './turns.ts';

export interface ReconcilerParts extends EditorParts {
  threads: Threads;
  store: CardStore;
  ledger: Pick<Ledger, 'append' | 'subscribe' | 'head'> &
    Pick<Records, 'run' | 'runs' | 'open' | 'following' | 'outcomes' | 'opened' | 'closed' | 'entries' | 'alerts'>;
  pace?: Partial<Pace>;
  observe?: Pick<Observe, 'drawn'>;
  log: Log;
}

/**
 * Draws cards from the ledger and edits them until they show it. Every append marks the cards that it changes; the rest
 * of the bot only appends. Never rejects.
 */
export interface Cards {
  /**
   * Registers a command that is being answered: only this first card is shown before `placed`. False: the record is not
   * stored, and after a crash the card would stay as it is.
   */
  open(id: string, opened: Opened, card: Card): Promise<boolean>;
  /** Discord accepted the answer as this message. Without one, the card is drawn wherever it may have arrived. */
  placed(id: string, message?: string): void;
  /** Drops the card: Discord does not know its command, or has another answer to it. */
  forget(id: string): void;
  /** What the card shows while the ledger has nothing about it. `isOpen`: another answer comes, after a crash by its record. */
  answer(id: string, opened: Opened, card: Card, isOpen?: boolean): void;
  touched(id: string, interaction: Interaction): void;
  /** How the card was opened, if in this process. */
  opened(id: string): Opened | undefined;
  /** Something outside the ledger changed. `later`: news of a job. */
  mark(id: string, when?: 'now' | 'later'): void;
  /** Resolves when the card is up to date, or after `ms`. */
  shown(id: string, ms: number): Promise<void>;
  /** Private words about what is open: taken back once it is closed. */
  aside(id: string, takeBack: TakeBack): void;
  /** Takes over the cards that earlier processes left; and whether those knew more than the ledger has. */
  takeOver(): Promise<{ left: ReadonlyMap<string, Opened | undefined>; isAhead: boolean }>;
  /** Draws all marked cards, for at most `ms`, and stops. */
  close(ms: number): Promise<void>;
}

/** How long a card may be behind that nothing happens to any more, in ms: so long an edit is tried. */
const looksBack = 86_400_000;

/** How many of a day's cards are looked at together, so that people are answered meanwhile; and for how long, in ms. */
const looksAtOnce = 8;
const lookTime = 5_000;

const defaults: Pace = { looks: 15_000, retry: 200, most: 60_000, patience: 86_400_000, late: 15 * 60_000 };

export function createReconciler(parts: ReconcilerParts): Cards {
  const { ledger, store, now, log } = parts;
  const items = createItems(store, () => ledger.head().seq);
  const turns = createTurns({ pace: { ...defaults, ...parts.pace }, now, log }, items, observedEditor(parts));
  const { mark } = turns;
  const looking = pLimit(looksAtOnce);

  /** The cards that a process may have left behind: those that are open, and those of the last day. */
  async function lookBack(seen: Set<string>, look: (id: string) => void): Promise<void> {
    const once = (id: string): void => {
      if (!seen.has(id)) look(id);
      seen.add(id);
    };
    for (const { run } of [...ledger.open(), ...ledger.following()]) once(invocationOf(run));
    const from = now() - looksBack;
    await walk(newestFirst(ledger.entries()), (entry) => {
      if (Date.parse(entry.time) < from) return false;
      changedIn(ledger, entry).forEach(once);
      return true;
    });
  }

  ledger.subscribe((entry) => {
    for (const id of changedIn(ledger, entry)) mark(id);
    if (isOfRun(entry)) items.recorded(invocationOf(entry.run));
  });

  hearDiscord(parts, items, turns);

  return {
    open(id, opened, card) {
      const item = items.of(id, opened);
      // Of one that is pressed again, because Discord took no answer to it, only this answer counts.
      Object.assign(item, { opened, interaction: answering(opened), answer: undefined, shown: {}, placed: false });
      // An edit that is under way for the first must not end it.
      if (item.work !== undefined) item.marks += 1;
      setShown(item, card);
      return items.keep(item);
    },
    placed(id, message) {
      const item = items.of(id);
      // What is shown to one person is found by its token alone, which the record has already.
      if (item.opened?.audience === 'public' && message !== undefined) {
        item.opened = { ...item.opened, place: { ...item.opened.place, message } };
        item.interaction = answering(item.opened);
        void items.keep(item);
      }
      item.placed = true;
      turns.schedule(item);
    },
    forget: (id) => turns.drop(items.of(id)),
    answer(id, opened, card, isOpen = false) {
      const item = items.of(id, opened);
      item.answer = { card, isOpen };
      mark(id);
    },
    touched: items.touched,
    aside: keepAsides(ledger, log),
    opened: (id) => (items.has(id) ? items.of(id).opened : undefined),
    mark,
    shown: (id, ms) => (items.has(id) ? within(ms, turns.rested(items.of(id))) : Promise.resolve()),
    async takeOver() {
      const left = await store.takeOver();
      if (left === undefined) return { left: new Map(), isAhead: false };
      for (const { id, opened } of left.cards) items.of(id, opened).stored = true;
      const look = (id: string): Promise<void> => {
        // What the dead process showed last is unknown, and its last edit may still arrive.
        items.of(id).late = true;
        items.markStale(id);
        mark(id);
        return within(lookTime, turns.rested(items.of(id)));
      };
      const known = new Set(left.cards.map(({ id }) => id));
      for (const id of known) void look(id);
      void lookBack(known, (id) => void looking(() => look(id)));
      return { left: new Map(left.cards.map(({ id, opened }) => [id, opened])), isAhead: left.isAhead === true };
    },
    async close(ms) {
      await within(ms, Promise.all(items.all().map(turns.rested)));
      turns.close();
    },
  };
}

const changedIn = (ledger: ReconcilerParts['ledger'], entry: Entry): readonly string[] =>
  isOfRun(entry) ? changedBy(ledger, entry) : ledger.alerts.changedBy(entry).map(alertName);

/** The editor, whose edits are reported. */
function observedEditor(parts: ReconcilerParts): (card: Shown) => Promise<Step> {
  const edit = createEditor(parts);
  return async (card) => {
    const begun = performance.now();
    const step = await edit(card);
    if (step.edited) parts.observe?.drawn(card.id, performance.now() - begun);
    return step;
  };
}

/** What about messages and threads mark cards, too. */
function hearDiscord(
  { messages, threads, placeOf }: Pick<ReconcilerParts, 'messages' | 'threads' | 'placeOf'>,
  items: Items,
  { mark, schedule }: Pick<ReturnType<typeof createTurns>, 'mark' | 'schedule'>,
): void {
  messages.onOverwritten((run) => {
    // Messages beside a card name it, and what they are: "b1x · reminder".
    const [id = run] = run.replace(/^run /, '').split(' · ');
    items.of(id).overwritten = true;
    mark(id);
  });
  messages.onGap(() => {
    for (const { id } of items.all()) {
      items.markStale(id);
      mark(id, 'later');
    }
  });
  /** Discord may accept now what it refused before. */
  const again = async (item: Item): Promise<void> => {
    await item.work;
    if (item.failing === undefined) return;
    item.later = false;
    item.retryAt = 0;
    schedule(item);
  };
  threads.onOpened((thread) => {
    for (const item of items.all()) if (placeOf(item.id, item.opened)?.channel === thread) void again(item);
  });
}

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
};
