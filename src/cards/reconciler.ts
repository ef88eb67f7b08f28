import { setTimeout as delay } from 'node:timers/promises';
import type { Card } from '../card.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import { type Entry, isOfRun } from '../runs/entry.ts';
import { isOver, related } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';
import { createEditor, type EditorParts, fingerprint, type Interaction, type Shown } from './editor.ts';
import type { CardStore, Opened } from './record.ts';

/** In ms: between edits for news of a job; the first and the longest pause after an edit that failed; after which it is given up. */
export interface Pace {
  looks: number;
  again: number;
  most: number;
  patience: number;
}

export interface ReconcilerParts extends EditorParts {
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
  /** A command is being answered: nothing else than this first card is shown before `placed`. */
  open(id: string, opened: Opened, card: Card): Promise<void>;
  /** Discord took that answer, as this message. */
  placed(id: string, message: string): void;
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
  /** Takes over what processes that are no more left. Answers how those cards were opened. */
  takeOver(): Promise<ReadonlyMap<string, Opened | undefined>>;
  /** Draws all that is marked, as far as Discord takes it within so many ms, and ends. */
  close(ms: number): Promise<void>;
}

interface Item extends Shown {
  /** Nothing is drawn before Discord took the first answer. */
  placed: boolean;
  /** How often it was marked, and up to which mark what is drawn is shown. */
  marks: number;
  done: number;
  editedAt: number;
  pause: number;
  /** Since when Discord does not take it. */
  failing?: number | undefined;
  timer?: NodeJS.Timeout | undefined;
  work?: Promise<void> | undefined;
  waiting: (() => void)[];
}

const usual: Pace = { looks: 15_000, again: 200, most: 60_000, patience: 86_400_000 };

/** So many cards that are over are known by their fingerprints. */
const remembered = 10_000;

export function createReconciler(parts: ReconcilerParts): Cards {
  const { ledger } = parts;
  const items = createItems(parts);
  const { itemOf, mark } = items;

  /** Cards of other processes are drawn by them, unless this one has them too. */
  const heard = (entry: Entry, own: boolean): void => {
    if (!isOfRun(entry)) return;
    for (const id of changedBy(entry, ledger)) if (own || items.has(id)) mark(id);
  };
  ledger.subscribe(heard);

  return {
    open(id, opened, card) {
      const item = itemOf(id, opened);
      item.placed = false;
      item.shown.card = fingerprint(card);
      return items.keep(item);
    },
    placed(id, message) {
      const item = itemOf(id);
      if (item.opened?.audience === 'public') {
        item.opened = { ...item.opened, place: { ...item.opened.place, message } };
        item.interaction = answering(item.opened);
      }
      item.placed = true;
      void items.keep(item);
      items.schedule(item);
    },
    forget: (id) => items.drop(itemOf(id)),
    answer(id, opened, card, provisional) {
      const item = itemOf(id, opened);
      item.answer = card;
      item.provisional = provisional !== undefined;
      mark(id);
    },
    touched(id, interaction) {
      itemOf(id).interaction = interaction;
    },
    opened: (id) => (items.has(id) ? itemOf(id).opened : undefined),
    mark,
    shown: (id, ms) =>
      items.has(id)
        ? Promise.race([items.rested(itemOf(id)), delay(ms, undefined, { ref: false })])
        : Promise.resolve(),
    async takeOver() {
      const { cards, kept } = await parts.store.takeOver();
      for (const { id, opened } of cards) itemOf(id, opened);
      const behind = kept === undefined ? [] : ledger.entries().slice(kept);
      const ids = [
        ...cards.map(({ id }) => id),
        ...behind.filter(isOfRun).flatMap((entry) => changedBy(entry, ledger)),
      ];
      for (const id of new Set(ids)) mark(id);
      return new Map(cards.map(({ id, opened }) => [id, opened]));
    },
    async close(ms) {
      await Promise.race([items.allRested(), delay(ms, undefined, { ref: false })]);
      items.close();
    },
  };
}

/** What came with the command, for the message that answers it. */
const answering = ({ interaction, place }: Opened): Interaction => ({ ...interaction, message: place.message });

/** The invocations whose cards an entry changes: its own, and earlier ones of which its run says what became of them. */
function changedBy(entry: Extract<Entry, { run: string }>, ledger: ReconcilerParts['ledger']): string[] {
  const own = invocationOf(entry.run);
  if (entry.kind === 'denied') return [];
  return [
    ...new Set([
      own,
      ...deciding(entry, ledger)
        .flatMap((run) => related(ledger, run))
        .map(invocationOf),
    ]),
  ];
}

/** The runs that this entry says the end of. A command for several servers is told on other cards when it has ended on all. */
function deciding(entry: Extract<Entry, { run: string }>, ledger: ReconcilerParts['ledger']): RunState[] {
  if (entry.kind === 'outcome') {
    const states = ledger.runs(invocationOf(entry.run));
    return isOver(states, entry.options) ? states : [];
  }
  const isLate = entry.kind === 'resolved' || (entry.kind === 'follow-up' && entry.step === 'ended');
  return isLate ? [ledger.run(entry.run)].flatMap((state) => state ?? []) : [];
}

/** The cards that may not show yet what is known, each with at most one edit under way. */
function createItems(parts: ReconcilerParts) {
  const { store, ledger, processId, now, log } = parts;
  const pace = { ...usual, ...parts.pace };
  const edit = createEditor(parts);
  const items = new Map<string, Item>();
  const over = new Map<string, Shown['shown']>();
  let closed = false;

  const keep = ({ id, opened }: Item): Promise<void> =>
    store.put({ id, processId, ...(opened === undefined ? {} : { opened }) }, ledger.head().seq);

  function itemOf(id: string, opened?: Opened): Item {
    const known = items.get(id);
    if (known !== undefined) return known;
    const shown = over.get(id) ?? {};
    over.delete(id);
    const item: Item = {
      id,
      opened,
      interaction: opened && answering(opened),
      shown,
      later: true,
      placed: true,
      marks: 0,
      done: 0,
      editedAt: 0,
      pause: 0,
      waiting: [],
    };
    items.set(id, item);
    if (opened === undefined) void keep(item);
    return item;
  }

  function mark(id: string, when: 'now' | 'later' = 'now'): void {
    const item = itemOf(id);
    item.marks += 1;
    if (when === 'now') item.later = false;
    schedule(item);
  }

  function schedule(item: Item): void {
    if (closed || !item.placed || item.work !== undefined || item.done === item.marks) return;
    clearTimeout(item.timer);
    const wait = Math.max(item.pause, item.later ? item.editedAt + pace.looks - now() : 0);
    if (wait <= 0) begin(item);
    else item.timer = setTimeout(() => begin(item), wait).unref();
  }

  function begin(item: Item): void {
    item.work = work(item).finally(() => {
      item.work = undefined;
      if (closed || item.done === item.marks) rest(item);
      else schedule(item);
    });
  }

  async function work(item: Item): Promise<void> {
    const marks = item.marks;
    try {
      const { edited, terminal } = await edit(item);
      item.failing = undefined;
      item.pause = 0;
      if (edited) {
        item.editedAt = now();
        // An edit takes time, in which others may have recorded more: it is compared once more.
        await ledger.refresh().catch(() => undefined);
        return;
      }
      if (item.provisional) {
        await ledger.refresh();
        item.provisional = false;
        return;
      }
      item.later = true;
      item.done = marks;
      if (terminal && marks === item.marks) drop(item);
    } catch (error) {
      failed(item, marks, error);
    }
  }

  function failed(item: Item, marks: number, error: unknown): void {
    item.failing ??= now();
    item.pause = Math.min(pace.most, Math.max(pace.again, 2 * item.pause));
    log.warn({ run: item.id, problem: String(error) }, 'a card cannot be edited yet');
    if (now() - item.failing > pace.patience && marks === item.marks) drop(item);
  }

  function rest(item: Item): void {
    for (const tell of item.waiting.splice(0)) tell();
  }

  function drop(item: Item): void {
    clearTimeout(item.timer);
    item.done = item.marks;
    items.delete(item.id);
    store.remove(item.id, ledger.head().seq);
    over.set(item.id, item.shown);
    const [oldest] = over.keys();
    if (over.size > remembered && oldest !== undefined) over.delete(oldest);
    rest(item);
  }

  const rested = (item: Item): Promise<void> =>
    item.done === item.marks ? Promise.resolve() : new Promise((resolve) => item.waiting.push(resolve));

  return {
    itemOf,
    mark,
    schedule,
    drop,
    keep,
    rested,
    has: (id: string): boolean => items.has(id),
    allRested: (): Promise<unknown> => Promise.all([...items.values()].map(rested)),
    close(): void {
      closed = true;
      for (const { timer } of items.values()) clearTimeout(timer);
    },
  };
}
