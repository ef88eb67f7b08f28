import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { channelNow, type Page, switchesOn } from './page.ts';
import type { Side } from './state.ts';
import { themeButton } from './theme.ts';
import { back, threadMenu } from './thread.ts';

/** The width below which a side panel overlays the page, as in the styles. */
export const narrowly = '(max-width: 1000px)';

const isNarrow = (): boolean => matchMedia(narrowly).matches;

export function header(page: Page): TemplateResult {
  const { state } = page;
  const channel = channelNow(page);
  const thread = channel?.parent === undefined ? undefined : channel;
  return html`
    <header class="head ${thread === undefined ? '' : 'of-thread'}" ?inert=${state.drawer !== undefined}>
      <button
        type="button"
        class="icon narrow"
        aria-label="Channels"
        aria-expanded=${state.drawer === 'channels'}
        aria-controls="channels"
        @click=${() => openDrawer(page, 'channels')}
      >
        ${icon('bars')}
      </button>
      ${thread === undefined ? nothing : back(page, thread)}
      <h1 title=${channel?.name ?? ''}>
        ${thread === undefined ? html`<span aria-hidden="true">#</span>` : icon('thread')} <bdi>${channel?.name ?? '…'}</bdi>
      </h1>
      ${thread === undefined ? html`<p class="topic">${channel?.topic ?? ''}</p>` : threadMenu(page, thread)}
      <button type="button" class="try" aria-label="Things to try" @click=${() => page.set({ examples: true })}>
        ${icon('spark')} <span class="wide">Things to try</span><span class="narrow">Try</span>
      </button>
      ${toggle(page, 'behind', 'wrench', 'Behind the scenes', switchesOn(page))} ${toggle(page, 'members', 'people', 'Members')}
      ${themeButton(page)}
    </header>
  `;
}

function toggle(page: Page, side: Side, sign: 'wrench' | 'people', title: string, on = 0): TemplateResult {
  const { state } = page;
  const open = state.side === side && (!isNarrow() || state.drawer === 'side');
  const press = (): void => {
    if (open) page.set({ side: 'none', drawer: undefined, broken: switchesOn(page) });
    else openSide(page, side);
  };
  const label = on === 0 ? title : `${title}, ${on} broken`;
  return html`
    <button
      type="button"
      class="icon"
      id="show-${side}"
      title=${label}
      aria-label=${label}
      aria-expanded=${open}
      aria-controls="side"
      @click=${press}
    >
      ${icon(sign)} ${on === 0 ? nothing : html`<b class="badge">${on}</b>`}
    </button>
  `;
}

/** Shows a side panel; over the page if there is little room. */
export function openSide(page: Page, side: Side): void {
  const over = isNarrow();
  page.set({ side, drawer: over ? 'side' : undefined, broken: switchesOn(page) });
  if (over) page.focus('side');
}

/** A side panel's title, and what closes it where it lies over the page. Stays in view above what scrolls. */
export const sideHead = (page: Page, id: string, title: string): TemplateResult => html`
  <div class="side-head">
    <h2 id=${id}>${title}</h2>
    <button type="button" class="icon" aria-label="Close ${title}" @click=${() => page.set({ drawer: undefined })}>
      ${icon('cross')}
    </button>
  </div>
`;

function openDrawer(page: Page, drawer: 'channels'): void {
  page.set({ drawer });
  page.focus(drawer);
}
