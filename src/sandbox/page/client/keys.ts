import { emptyDraft, next } from './draft.ts';
import type { Page } from './page.ts';
import { suggestionsNow } from './suggest.ts';
import { recall, send, take, takeBack, write } from './write.ts';

/** Handles a key in the composer. Returns whether it was handled; otherwise the browser handles it. */
type Key = (page: Page, field: HTMLInputElement, shift: boolean) => boolean;

const keys: Readonly<Record<string, Key>> = {
  ArrowDown: (page) => move(page, 1) || (page.state.back > 0 && recall(page, -1)),
  ArrowUp: (page, field) => {
    const { draft, back } = page.state;
    const plain = draft.command === undefined && field.value === '';
    return plain || back > 0 ? recall(page, 1) : move(page, -1);
  },
  Tab: (page, _field, shift) => (shift ? previous(page) : take(page) || further(page)),
  Enter: (page) => {
    if (!take(page) && !waiting(page)) void send(page);
    return true;
  },
  Escape(page) {
    const { draft } = page.state;
    if (draft.command === undefined && draft.text === '') return false;
    if (suggestionsNow(page).items.length > 0) page.set({ shut: true });
    else write(page, emptyDraft);
    return true;
  },
  Backspace: (page, field) => field.value === '' && takeBack(page),
};

export function onKey(page: Page, event: KeyboardEvent): void {
  // Keys of an input method, as for Japanese, belong to the browser.
  if (event.isComposing || !(event.target instanceof HTMLInputElement)) return;
  if (keys[event.key]?.(page, event.target, event.shiftKey)) event.preventDefault();
}

function move(page: Page, step: number): boolean {
  const { length } = suggestionsNow(page).items;
  if (length === 0) return false;
  const { chosen } = page.state;
  page.set({ chosen: chosen < 0 && step < 0 ? length - 1 : (chosen + step + length) % length });
  return true;
}

/** Enter moves to the next option without a value, and sends if there is none. */
function waiting(page: Page): boolean {
  const { draft } = page.state;
  const now = draft.values[draft.at];
  const to = next(draft);
  if (now === undefined || now.text === '' || to.at >= draft.values.length) return false;
  write(page, to);
  return true;
}

function further(page: Page): boolean {
  const { draft } = page.state;
  if (draft.at >= draft.values.length) return false;
  write(page, { ...draft, at: draft.at + 1 });
  return true;
}

function previous(page: Page): boolean {
  const { draft } = page.state;
  if (draft.command === undefined || draft.at === 0) return false;
  write(page, { ...draft, at: draft.at - 1 });
  return true;
}
