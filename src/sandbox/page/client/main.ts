import { render } from 'lit';
import { newsIn } from './announce.ts';
import { app } from './app.ts';
import { makeCompleter } from './complete.ts';
import { connect } from './connect.ts';
import { point } from './examples.ts';
import { narrowly } from './header.ts';
import { addressOf, type Page, placeOf } from './page.ts';
import { defineParts } from './parts.ts';
import { postAct } from './post.ts';
import { makeKeeper } from './scroll.ts';
import { firstState, type State, type Theme } from './state.ts';
import { markRead } from './unread.ts';

/** Who acts where the address names nobody. */
const somebody = 'alice';

function readAddress(): { as: string; channel: string; target: string | undefined } {
  const { as, channel, target } = placeOf(location.hash);
  return { as: as ?? somebody, channel: channel ?? 'ops', target };
}

function storedTheme(): Theme {
  const stored = localStorage.getItem('colours');
  return stored === 'dark' || stored === 'light' ? stored : 'system';
}

/** Draws the page into its root, and again after each change. */
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
    // A form or a button that the server took away leaves the focus nowhere.
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
    // Whoever goes elsewhere may write there at once; a message that is looked for has the focus itself.
    if (state.channel !== before && state.target === undefined) focusComposer();
  });
  // Wider again, nothing lies over the page any more.
  matchMedia(narrowly).addEventListener('change', () => page.set({ drawer: undefined }));
  root.replaceChildren();
  draw();
  focusComposer();

  /** Not where it would bring up a phone's keyboard. */
  function focusComposer(): void {
    if (matchMedia('(min-width: 700px)').matches) page.focus('composer');
  }
}

/** Somebody who comes to a text goes on at its end. */
function focusOn(element: HTMLElement | null): void {
  if (element === null || element === document.activeElement) return;
  element.focus();
  if (element instanceof HTMLInputElement) element.setSelectionRange(element.value.length, element.value.length);
}

/** Keeps one connection, for the person and the panel at the side that are shown now. */
function makeLive(page: Page): () => void {
  let open: { key: string; close(): void } | undefined;
  return () => {
    const { as, side } = page.state;
    const key = `${as} ${side === 'behind'}`;
    if (open?.key === key) return;
    open?.close();
    // What was known of before would be old when the panel is opened again.
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
      refused() {
        if (as !== somebody) location.hash = addressOf(somebody, page.state.channel);
      },
      connected(connected) {
        if (page.state.connected === connected) return;
        // What could not be done while the sandbox was away is no news once it is back.
        page.set({ connected, ...(connected && { problem: undefined }) });
      },
    });
    open = { key, close: mine.close };
  };
}

const root = document.getElementById('page');
if (root !== null) start(root);
