import { defined } from '../defined.ts';
import type { Interaction, Shown } from './editor.ts';
import { type CardStore, type Opened, withoutOldToken } from './record.ts';

/** A card that may not show yet what is known, or will change again. */
export interface Item extends Shown {
  /** Nothing is drawn before Discord took the first answer. */
  placed: boolean;
  /** How often it was marked, and up to which mark what is drawn is shown. */
  marks: number;
  done: number;
  /** Others may know more: the ledger is read once more before it is done. */
  unsure: boolean;
  /** Its message shows what this process did not put there: who did may know more. */
  overwritten: boolean;
  /** Discord may still do an older edit of it; and how often was looked, later, whether it did. */
  late: boolean;
  looks: number;
  /** It is kept for that alone. */
  over: boolean;
  /** When news of a job was last shown: only the next such edit waits for it. */
  newsAt: number;
  /** Of the last attempt that failed: the pause after it, its end, and since when Discord does not take it. */
  pause: number;
  retryAt: number;
  failing?: number | undefined;
  /** It failed because its thread is closed: something to say may open that. */
  closed: boolean;
  timer?: NodeJS.Timeout | undefined;
  work?: Promise<void> | undefined;
  waiting: (() => void)[];
}

/** What came with the command, for the message that answers it. */
export const answering = ({ interaction, place }: Opened): Interaction => ({ ...interaction, message: place.message });

const newItem = (id: string, opened: Opened | undefined): Item => ({
  ...{
    id,
    opened,
    interaction: opened && answering(opened),
    shown: {},
    later: true,
    placed: true,
    marks: 0,
    done: 0,
    unsure: false,
    overwritten: false,
  },
  ...{ doubted: false, late: false, looks: 0, over: false },
  ...{ newsAt: 0, pause: 0, retryAt: 0, closed: false, waiting: [] },
});

/** So many cards that are over are known by what they show. */
const remembered = 10_000;

export type Items = ReturnType<typeof createItems>;

/** The cards at hand, and what is known of those that are over. `kept`: up to which entry the store has all cards that changed. */
export function createItems(store: CardStore, processId: string, kept: () => number) {
  const items = new Map<string, Item>();
  const over = new Map<string, Pick<Shown, 'shown' | 'interaction'>>();

  const keep = ({ id, opened }: Item): Promise<boolean> => store.put({ id, processId, ...defined({ opened }) }, kept());

  function remember(id: string, of: Pick<Shown, 'shown' | 'interaction'>): void {
    over.delete(id);
    over.set(id, of);
    const [oldest] = over.keys();
    if (over.size > remembered && oldest !== undefined) over.delete(oldest);
  }

  function of(id: string, opened?: Opened): Item {
    const known = items.get(id);
    if (known !== undefined) return known;
    const item = { ...newItem(id, opened), ...over.get(id) };
    over.delete(id);
    items.set(id, item);
    if (opened === undefined) void keep(item);
    return item;
  }

  /** Another process may have shown something else since, or an older edit may have come. */
  function doubt(id: string): void {
    const item = items.get(id);
    const known = item ?? over.get(id);
    if (known !== undefined) known.shown = {};
    if (item !== undefined) item.doubted = true;
  }

  return {
    ...{ of, keep, doubt },
    /** Whether something is left to show, or to come, as far as is known here. */
    has: (id: string): boolean => items.get(id)?.over === false,
    all: (): Item[] => [...items.values()],
    touched(id: string, interaction: Interaction): void {
      const item = items.get(id);
      if (item === undefined) remember(id, { shown: {}, ...over.get(id), interaction });
      else item.interaction = interaction;
    },
    mark(id: string, when: 'now' | 'later'): Item {
      const item = of(id);
      item.marks += 1;
      item.over = false;
      if (when === 'now') item.later = false;
      // Where it was the ledger that could not be read, it can be now.
      if (item.failing === undefined || (item.closed && when === 'now')) item.retryAt = 0;
      return item;
    },
    /** It is over, and is not let go yet. From here on the ledger alone says what it shows. */
    linger(item: Item): void {
      item.over = true;
      item.opened = undefined;
      void keep(item);
    },
    /** Tokens from before that moment, in ms, are of no use, and not kept. */
    dropTokens(before: number): void {
      for (const item of items.values()) {
        if (item.opened === undefined || item.opened.interaction.token === '') continue;
        const opened = withoutOldToken(item.opened, before);
        if (opened === item.opened) continue;
        item.opened = opened;
        void keep(item);
      }
    },
    /** What may have come late has come. */
    look(item: Item): void {
      item.late = false;
      item.looks += 1;
      doubt(item.id);
    },
    drop({ id, shown, interaction }: Item): void {
      if (!items.delete(id)) return;
      store.remove(id, kept());
      remember(id, { shown, interaction });
    },
  };
}
