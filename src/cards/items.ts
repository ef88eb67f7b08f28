import { LRUCache } from 'lru-cache';
import type { Interaction, Shown } from './editor.ts';
import type { CardStore, Opened } from './record.ts';

/** A card that may be outdated or will change again. */
export interface Item extends Shown {
  /** Whether Discord accepted the first answer; no edits before that. */
  placed: boolean;
  /** Whether the store has it, because the ledger does not. */
  stored: boolean;
  /** The number of marks, the last for more than news of a job, and the last whose state is shown. */
  marks: number;
  step: number;
  done: number;
  /** The message shows an edit that is not from this process. */
  overwritten: boolean;
  /** Discord may still apply an older edit; and how often this was checked. */
  late: boolean;
  looks: number;
  /** Only kept because of late edits. */
  over: boolean;
  /** When news of a job was last shown: the next such edit waits. */
  newsAt: number;
  /** Of the last failed attempt: the pause after it, its end, and when the failures began. */
  pause: number;
  retryAt: number;
  failing?: number | undefined;
  /** It failed because its thread is closed. News may open the thread. */
  closed: boolean;
  timer?: NodeJS.Timeout | undefined;
  work?: Promise<void> | undefined;
  waiting: (() => void)[];
}

/** The interaction of the command, with the message that answers it. */
export const answering = ({ interaction, place }: Opened): Interaction => ({ ...interaction, message: place.message });

const newItem = (id: string, opened: Opened | undefined): Item => ({
  ...{ id, opened, interaction: opened && answering(opened), shown: {}, waiting: [] },
  ...{ marks: 0, step: 0, done: 0, later: true, placed: true, stored: false, overwritten: false },
  ...{ stale: false, late: false, looks: 0, over: false },
  ...{ newsAt: 0, pause: 0, retryAt: 0, closed: false },
});

/** How many finished cards to remember with their fingerprints. */
const maxRemembered = 10_000;

export type Items = ReturnType<typeof createItems>;

/** The open cards, and what is known of finished ones. `head`: the last entry of the ledger. */
export function createItems(store: CardStore, head: () => number) {
  const items = new Map<string, Item>();
  const over = new LRUCache<string, Pick<Shown, 'shown' | 'interaction'>>({ max: maxRemembered });

  /** Stores what the ledger does not have yet. */
  function keep(item: Item): Promise<boolean> {
    const { id, opened } = item;
    item.stored = true;
    return store.put({ id, opened }, head());
  }

  function letGo(item: Item): void {
    if (item.stored) store.remove(item.id, head());
    item.stored = false;
  }

  function of(id: string, opened?: Opened): Item {
    const known = items.get(id);
    if (known !== undefined) return known;
    const item = { ...newItem(id, opened), ...over.get(id) };
    over.delete(id);
    items.set(id, item);
    return item;
  }

  /** Another process may have edited the card since, or an older edit may have arrived. */
  function markStale(id: string): void {
    const item = items.get(id);
    const known = item ?? over.get(id);
    if (known !== undefined) known.shown = {};
    if (item !== undefined) item.stale = true;
  }

  return {
    ...{ of, keep, markStale },
    /** The ledger has something of it now. */
    recorded(id: string): void {
      const item = items.get(id);
      if (item?.stored === true) letGo(item);
      else store.seen?.(head());
    },
    /** Whether the card is still open, as far as known here. */
    has: (id: string): boolean => items.get(id)?.over === false,
    all: (): Item[] => [...items.values()],
    touched(id: string, interaction: Interaction): void {
      const item = items.get(id);
      if (item === undefined) over.set(id, { shown: {}, ...over.get(id), interaction });
      else item.interaction = interaction;
    },
    mark(id: string, when: 'now' | 'later'): Item {
      const item = of(id);
      item.marks += 1;
      item.over = false;
      if (when === 'now') [item.later, item.step] = [false, item.marks];
      // If the ledger was unreadable, it may be readable now.
      if (item.failing === undefined || (item.closed && when === 'now')) item.retryAt = 0;
      return item;
    },
    /** The card is finished, but kept for late edits. From now on only the ledger decides what it shows. */
    linger(item: Item): void {
      item.over = true;
      item.opened = undefined;
    },
    /** Checks the card again after late edits may have arrived. */
    look(item: Item): void {
      item.late = false;
      item.looks += 1;
      markStale(item.id);
    },
    drop(item: Item): void {
      const { id, shown, interaction } = item;
      if (!items.delete(id)) return;
      letGo(item);
      over.set(id, { shown, interaction });
    },
  };
}
