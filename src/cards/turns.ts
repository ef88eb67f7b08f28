import { LedgerUnavailable, type Log } from '../outcome.ts';
import { againIn } from '../waits.ts';
import { NotNow, type Shown, type Step } from './editor.ts';
import type { Item, Items } from './items.ts';

/**
 * In ms: between edits for news of a job; the first and the longest pause after a failed edit; when to give up; and how
 * long Discord may still apply an edit that it has not answered.
 */
export interface Pace {
  looks: number;
  retry: number;
  most: number;
  patience: number;
  late: number;
}

/** After this many foreign edits, the other side does it on purpose, or Discord normalizes the text. */
const maxForeignEdits = 3;

/** How long the card's next turn must wait, in ms. */
function waitOf({ retryAt, later, newsAt, pause }: Item, { looks }: Pace, now: number): number {
  const due = Math.max(retryAt, later ? newsAt + looks : 0) - now;
  // A clock that is set back must not extend the wait.
  return Math.min(due, Math.max(pause, looks));
}

/** Runs turns for each marked card, one at a time, until it is up to date. */
export function createTurns(
  { pace, now, log }: { pace: Pace; now(): number; log: Log },
  items: Items,
  edit: (card: Shown) => Promise<Step>,
) {
  let closed = false;

  function schedule(item: Item): void {
    if (closed || !item.placed || item.work !== undefined || item.done === item.marks) return;
    clearTimeout(item.timer);
    const wait = waitOf(item, pace, now());
    if (wait <= 0) begin(item);
    else item.timer = setTimeout(() => begin(item), wait).unref();
  }

  function begin(item: Item): void {
    item.work = turn(item).finally(() => {
      item.work = undefined;
      if (closed || item.done === item.marks) rest(item);
      else schedule(item);
    });
  }

  async function turn(item: Item): Promise<void> {
    const { marks, later } = item;
    try {
      if (item.overwritten) item.shown = {};
      item.overwritten = false;
      const { edited, terminal, recorded } = await edit(item);
      item.failing = undefined;
      // What is over without an entry, nobody looks at again.
      item.late = recorded ? item.late || (edited && item.looks < maxForeignEdits) : item.late && !terminal;
      item.stale &&= marks !== item.marks;
      // A step that was recorded meanwhile does not wait as news of a job does.
      item.later = item.step <= marks;
      if (edited && later) item.newsAt = now();
      item.pause = 0;
      item.done = marks;
      if (!terminal || marks !== item.marks) return;
      if (item.late) linger(item);
      else drop(item);
    } catch (error) {
      failed(item, marks, error);
    }
  }

  function failed(item: Item, marks: number, error: unknown): void {
    item.pause = Math.min(pace.most, Math.max(pace.retry, 2 * item.pause));
    item.retryAt = now() + item.pause;
    item.closed = error instanceof NotNow && error.result === 'archived';
    const facts = { run: item.id, problem: String(error), again: againIn(item.pause) };
    log.warn(facts, 'cannot edit a card yet: will retry');
    // An unreadable ledger is not Discord's fault.
    if (error instanceof LedgerUnavailable) return;
    item.late = true;
    item.failing ??= now();
    if (now() - item.failing > pace.patience && marks === item.marks) drop(item);
  }

  /** The card is finished. Check it once more after the last moment for late edits: an older one may have come last. */
  function linger(item: Item): void {
    items.linger(item);
    const look = (): void => {
      items.look(item);
      mark(item.id, 'later');
    };
    item.timer = setTimeout(look, pace.late).unref();
  }

  function rest(item: Item): void {
    for (const tell of item.waiting.splice(0)) tell();
  }

  function drop(item: Item): void {
    clearTimeout(item.timer);
    item.done = item.marks;
    items.drop(item);
    rest(item);
  }

  const mark = (id: string, when: 'now' | 'later' = 'now'): void => schedule(items.mark(id, when));

  return {
    ...{ schedule, drop, mark },
    rested: (item: Item): Promise<void> =>
      item.done === item.marks ? Promise.resolve() : new Promise((resolve) => item.waiting.push(resolve)),
    close(): void {
      closed = true;
      for (const { timer } of items.all()) clearTimeout(timer);
    },
  };
}
