import { channelNow, messagesNow, type Page } from './page.ts';

/** This close to the end, in pixels, counts as at the end. */
const near = 60;

const box = (): HTMLElement | null => document.getElementById('scroll');

export function toEnd(page: Page): void {
  const element = box();
  if (element !== null) element.scrollTop = element.scrollHeight;
  page.set({ unseen: 0 });
}

/** Keeps the scroll position; stays at the end only if the reader was there, also as pictures load. */
export function makeKeeper(page: Page): () => void {
  let atEnd = true;
  let last: { place: string; newest: string | undefined } = { place: '', newest: undefined };
  let lastTop = 0;
  let watched: Element | undefined;
  const grown = new ResizeObserver(() => {
    const element = box();
    if (element !== null && atEnd && messagesNow(page).length > 0) element.scrollTop = element.scrollHeight;
  });
  const watch = (element: HTMLElement): void => {
    if (watched === element) return;
    watched = element;
    element.addEventListener('scroll', () => {
      const top = element.scrollTop;
      // Only scrolling up leaves the end: growth during this event does not count.
      atEnd = element.scrollHeight - top - element.clientHeight < near || (atEnd && top >= lastTop);
      lastTop = top;
      if (atEnd && page.state.unseen > 0) page.set({ unseen: 0 });
    });
    grown.observe(element);
    if (element.firstElementChild) grown.observe(element.firstElementChild);
  };
  return () => {
    const element = box();
    if (element === null) return;
    watch(element);
    const messages = messagesNow(page);
    const place = `${page.state.as} ${channelNow(page)?.id}`;
    const newest = messages.at(-1)?.message.id;
    const fresh = newest === last.newest ? 0 : messages.findLastIndex(({ message }) => message.id === last.newest);
    const count = newest === last.newest || fresh === -1 ? 0 : messages.length - 1 - fresh;
    if (place !== last.place) {
      atEnd = page.state.target === undefined;
      page.set({ unseen: 0 });
    } else if (!atEnd && count > 0) page.set({ unseen: page.state.unseen + count });
    last = { place, newest };
    // Without messages, the introduction is read from its beginning.
    if (atEnd && messages.length > 0) element.scrollTop = element.scrollHeight;
    showTarget(page);
  };
}

function showTarget(page: Page): void {
  const { target } = page.state;
  const element = target === undefined ? null : document.getElementById(`m-${target}`);
  if (element === null || element.dataset['shown'] === 'yes') return;
  element.dataset['shown'] = 'yes';
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  setTimeout(() => {
    delete element.dataset['shown'];
    if (page.state.target === target) page.set({ target: undefined });
  }, 2500);
}
