import { render } from 'lit';
import type { View } from '../protocol.ts';
import { app } from './app.ts';
import { makeCompleter } from './complete.ts';
import { connect } from './connect.ts';
import { point } from './examples.ts';
import { narrowly } from './header.ts';
import { spokenOf } from './message.ts';
import { addressOf, channelNow, type Page, placeOf } from './page.ts';
import { defineParts } from './parts.ts';
import { postAct } from './post.ts';
import { makeKeeper } from './scroll.ts';
import { firstState, type State, type Theme } from './state.ts';
import { lightly } from './theme.ts';
import { markRead } from './unread.ts';

/** The person if the address names nobody. */
const somebody = 'alice';

function readAddress(): { as: string; channel: string; target: string | undefined } {
  const { as, channel, target } = placeOf(location.hash);
  return { as: as ?? somebody, channel: channel ?? 'ops', target };
}

function storedTheme(): Theme {
  const stored = localStorage.getItem('colours');
  return stored === 'dark' || stored === 'light' ? stored : 'system';
}

/** Draws the page into its root, and redraws it after each change. */
function start(root: HTMLElement): void {
  defineParts();
  const { as, channel } = readAddress();
  let state: State = firstState(as, channel, storedTheme());
  let drawn = true;
  let wanted: string | undefined;
  const page: Page = {
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...change };
      if (!drawn) return;
      drawn = false;
      queueMicrotask(draw);
    },
    act: postAct,
    focus(id) {
      wanted = id;
      page.set({});
    },
  };
  const keep = makeKeeper(page);
  const complete = makeCompleter(page);
  const live = makeLive(page);

  function draw(): void {
    drawn = true;
    const wasAsked = document.querySelector('dialog[open]') !== null;
    const article = document.activeElement?.closest('article')?.id;
    render(app(page), root);
    document.documentElement.dataset['theme'] = state.theme;
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[data-modal]:not([open])'))
      dialog.showModal();
    document.getElementById('suggestions')?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    // When the server removes a focused form or button, the focus is lost.
    if ((wasAsked || article !== undefined) && document.activeElement === document.body)
      wanted ??= document.getElementById(article ?? '')?.id ?? 'composer';
    if (wanted !== undefined) focusOn(document.getElementById(wanted));
    wanted = undefined;
    keep();
    markRead(page);
    complete();
    live();
  }

  addEventListener('hashchange', () => {
    const { channel: before } = state;
    page.set({ ...readAddress(), drawer: undefined, menu: undefined, editing: undefined });
    // After a change of place, focus the composer. A linked message gets the focus itself.
    if (state.channel !== before && state.target === undefined) focusComposer();
  });
  // In a wide window nothing overlays the page.
  matchMedia(narrowly).addEventListener('change', () => page.set({ drawer: undefined }));
  matchMedia(lightly).addEventListener('change', () => page.set({}));
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
    if (event.defaultPrevented || isTyping || document.querySelector('dialog[open]') !== null) return;
    // The key itself goes into what has the focus then.
    if (event.key === '/') document.getElementById('composer')?.focus();
    else if (event.key === 'Escape') leaveButton();
  });
  addEventListener('close', leaveButton, true);
  root.replaceChildren();
  draw();
  focusComposer();

  /** After Escape, or a dialog: the next space must not press the button that has the focus. */
  function leaveButton(): void {
    if (document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
    focusComposer();
  }

  /** Not where it would open a phone's keyboard. */
  function focusComposer(): void {
    if (matchMedia('(min-width: 700px)').matches) page.focus('composer');
  }
}

function focusOn(element: HTMLElement | null): void {
  if (element === null || element === document.activeElement) return;
  element.focus();
  if (element instanceof HTMLInputElement) element.setSelectionRange(element.value.length, element.value.length);
}

/** Keeps one connection, for the current person and side panel. */
function makeLive(page: Page): () => void {
  let open: { key: string; close(): void } | undefined;
  return () => {
    const { as, side } = page.state;
    const key = `${as} ${side === 'behind'}`;
    if (open?.key === key) return;
    open?.close();
    // Old data would be stale when the panel opens again.
    if (side !== 'behind' && page.state.behind !== undefined) page.set({ behind: undefined });
    const mine = connect(as, side === 'behind', {
      view(view) {
        const said = newsIn(page, page.state.view, view);
        page.set({ view, pressed: new Set(), ...(said !== '' && { said }) });
      },
      behind(behind) {
        const first = page.state.behind === undefined;
        page.set({ behind });
        if (first) point(page);
      },
      refused(other) {
        if (as !== other) location.hash = addressOf(other, page.state.channel);
      },
      connected(connected) {
        if (page.state.connected === connected) return;
        // Errors from while the sandbox was down are outdated once it is back.
        page.set({ connected, ...(connected && { problem: undefined }) });
      },
    });
    open = { key, close: mine.close };
  };
}

const root = document.getElementById('page');
if (root !== null) start(root);

const longest = 300;

/** The screen reader text of the newest message that is new or changed; empty if there is none. */
function newsIn(page: Page, before: View | undefined, after: View): string {
  const channel = channelNow(page)?.id ?? '';
  const old = new Map((before?.messages[channel] ?? []).map((seen) => [seen.message.id, spokenOf(page, seen)]));
  if (before === undefined || before.me !== after.me) return '';
  const news = (after.messages[channel] ?? []).filter((seen) => old.get(seen.message.id) !== spokenOf(page, seen));
  const last = news.at(-1);
  if (last === undefined) return '';
  return `${last.message.author.username}: ${spokenOf(page, last)}`.slice(0, longest);
}
