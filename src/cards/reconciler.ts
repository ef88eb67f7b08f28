import { setTimeout as delay } from 'node:timers/promises';
import type { Card } from '../card.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import { isOfRun } from '../runs/entry.ts';
import { changedBy } from '../runs/history.ts';
import type { Threads } from './closed-thread.ts';
import { createEditor, type EditorParts, fingerprint, type Interaction } from './editor.ts';
import { answering, createItems, type Item, type Items } from './items.ts';
import type { CardStore, Opened } from './record.ts';
import { createTurns, type Pace } from './turns.ts';

export type { Pace } from './turns.ts';

export interface ReconcilerParts extends EditorParts {
  threads: Threads;
  store: CardStore;
  ledger: Pick<Ledger, 'append' | 'refresh' | 'subscribe' | 'head'> &
    Pick<Records, 'run' | 'runs' | 'outcomes' | 'closed' | 'entries'>;
  processId: string;
  pace?: Partial<Pace>;
  log: Log;
}

/**
 * Draws cards from the ledger until what is shown is what is drawn. Whatever is appended marks the cards that it changes; whoever
 * acts only appends. Nothing here rejects.
 */
export interface Cards {
  /** A command is being answered: nothing else than this first card is shown before `placed`. False: a crash would leave it as it is. */
  open(id: string, opened: Opened, card: Card): Promise<boolean>;
  /** Discord took that answer, as this message; left out: whether it did is not known, and the card is drawn where it did. */
  placed(id: string, message?: string): void;
  /** Nobody is to draw it here: another process has the command, or Discord does not know it. */
  forget(id: string): void;
  /**
   * What is shown as long as the ledger knows nothing of it: what is no change is answered by this card, for a click in the place of
   * the clicked one. `provisional`: the ledger cannot be asked, and may know more.
   */
  answer(id: string, opened: Opened, card: Card, provisional?: 'provisional'): void;
  /** Somebody clicked on its message. */
  touched(id: string, interaction: Interaction): void;
  /** How it was opened, if it was here. */
  opened(id: string): Opened | undefined;
  /** What is known of it changed beside the ledger; `later`: there is news of a job. */
  mark(id: string, when?: 'now' | 'later'): void;
  /** Resolves when it shows what is known, or after so many ms. */
  shown(id: string, ms: number): Promise<void>;
  /** Takes over what processes that are no more left. Answers how those cards were opened, and whether they knew more than the ledger has. */
  takeOver(): Promise<{ left: ReadonlyMap<string, Opened | undefined>; isAhead: boolean }>;
  /** Draws all that is marked, as far as Discord takes it within so many ms, and ends. */
  close(ms: number): Promise<void>;
}

/** For so long Discord honours the token of an interaction, in ms. */
const tokenMs = 15 * 60_000;

const usual: Pace = { looks: 15_000, retry: 200, most: 60_000, patience: 86_400_000, late: 15 * 60_000 };

export function createReconciler(parts: ReconcilerParts): Cards {
  const { ledger, store, now, log } = parts;
  /** What is on disk before is for `takeOver`. */
  let kept = ledger.head().seq;
  const items = createItems(store, parts.processId, () => kept);
  const turns = createTurns({ ledger, pace: { ...usual, ...parts.pace }, now, log }, items, createEditor(parts));
  const { mark } = turns;

  ledger.subscribe((entry, own) => {
    for (const id of isOfRun(entry) ? changedBy(ledger, entry) : []) {
      // Cards of other processes are drawn by them, unless this one has them too.
      if (own || items.has(id)) mark(id);
      else items.doubt(id);
    }
    kept = entry.seq;
  });

  hearDiscord(parts, items, turns);

  return {
    open(id, opened, card) {
      const item = items.of(id, opened);
      item.placed = false;
      item.shown.card = fingerprint(card);
      return items.keep(item);
    },
    placed(id, message) {
      const item = items.of(id);
      if (item.opened?.audience === 'public' && message !== undefined) {
        item.opened = { ...item.opened, place: { ...item.opened.place, message } };
        item.interaction = answering(item.opened);
      }
      item.placed = true;
      void items.keep(item);
      turns.schedule(item);
    },
    forget: (id) => turns.drop(items.of(id)),
    answer(id, opened, card, provisional) {
      const item = items.of(id, opened);
      item.answer = card;
      item.unsure ||= provisional !== undefined;
      mark(id);
    },
    touched: items.touched,
    opened: (id) => (items.has(id) ? items.of(id).opened : undefined),
    mark,
    shown: (id, ms) => (items.has(id) ? within(ms, turns.rested(items.of(id))) : Promise.resolve()),
    async takeOver() {
      items.dropTokens(now() - tokenMs);
      const left = await store.takeOver();
      const upTo = kept;
      const behind = left.kept === undefined ? [] : ledger.entries().slice(left.kept).filter(isOfRun);
      // Until all of them are marked, whoever comes next has to begin where this one began.
      kept = Math.min(upTo, left.kept ?? upTo);
      for (const { id, opened } of left.cards) items.of(id, opened);
      const ids = [...left.cards.map(({ id }) => id), ...behind.flatMap((entry) => changedBy(ledger, entry))];
      for (const id of new Set(ids)) {
        // What was shown last by whoever is no more is not known, and an edit of it may still come.
        items.of(id).late = true;
        items.doubt(id);
        mark(id);
      }
      kept = upTo;
      return { left: new Map(left.cards.map(({ id, opened }) => [id, opened])), isAhead: left.isAhead === true };
    },
    async close(ms) {
      // Whoever comes next may come too late for them.
      items.dropTokens(Number.POSITIVE_INFINITY);
      await within(ms, Promise.all(items.all().map(turns.rested)));
      turns.close();
    },
  };
}

/** What Discord tells of messages and threads marks cards, too. */
function hearDiscord(
  { messages, threads, placeOf }: Pick<ReconcilerParts, 'messages' | 'threads' | 'placeOf'>,
  items: Items,
  { mark, schedule }: Pick<ReturnType<typeof createTurns>, 'mark' | 'schedule'>,
): void {
  messages.onOverwritten((id) => {
    items.of(id).overwritten = true;
    mark(id);
  });
  messages.onGap(() => {
    for (const { id } of items.all()) {
      items.doubt(id);
      mark(id, 'later');
    }
  });
  threads.onOpened((thread) => {
    const refused = items.all().filter(({ id, opened }) => placeOf(id, opened)?.channel === thread);
    for (const item of refused) void again(item, schedule);
  });
}

/** Discord may take now what it refused before. */
async function again(item: Item, schedule: (item: Item) => void): Promise<void> {
  await item.work;
  if (item.failing === undefined) return;
  item.later = false;
  item.retryAt = 0;
  schedule(item);
}

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
};
