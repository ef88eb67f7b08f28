import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { attempt, channelNow, type Page, switchesOn } from './page.ts';
import type { Side, Theme } from './state.ts';

const themes: readonly [Theme, string][] = [
  ['system', 'Like the system'],
  ['dark', 'Dark'],
  ['light', 'Light'],
];

/** The width below which a side panel overlays the page, as in the styles. */
export const narrowly = '(max-width: 1000px)';

const isNarrow = (): boolean => matchMedia(narrowly).matches;

/** The bar above the messages. */
export function header(page: Page): TemplateResult {
  const { state } = page;
  const channel = channelNow(page);
  return html`
    <header class="head ${channel?.parent === undefined ? '' : 'of-thread'}" ?inert=${state.drawer !== undefined}>
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
      <h1>${channel?.parent === undefined ? html`<span aria-hidden="true">#</span>` : icon('thread')} <bdi>${channel?.name ?? '…'}</bdi></h1>
      <p class="topic">${channel?.topic ?? ''}</p>
      ${channel?.parent === undefined ? nothing : threadTools(page, channel)}
      <button type="button" class="try" aria-label="Things to try" @click=${() => page.set({ examples: true })}>
        ${icon('spark')} <span class="wide">Things to try</span><span class="narrow">Try</span>
      </button>
      ${toggle(page, 'behind', 'wrench', 'Behind the scenes', switchesOn(page))} ${toggle(page, 'members', 'people', 'Members')}
      <label class="theme" title="Colours">
        <span class="hidden">Colours</span>
        <select @change=${(event: Event) => onTheme(page, event)}>
          ${themes.map(([value, label]) => html`<option value=${value} ?selected=${state.theme === value}>${label}</option>`)}
        </select>
        ${icon('contrast')}
      </label>
    </header>
  `;
}

/** Closes, locks or reopens a thread, or says that the person may not. */
function threadTools(page: Page, { id, archived, locked }: NonNullable<ReturnType<typeof channelNow>>): TemplateResult {
  const tool = (word: string, to: 'closed' | 'locked' | 'open'): TemplateResult => html`
    <button
      type="button"
      class="quiet"
      aria-label="${word} thread"
      @click=${() => attempt(page, { what: 'thread', as: page.state.as, thread: id, to })}
    >
      ${word}<span class="wide"> thread</span>
    </button>
  `;
  if (archived !== true) return html`${tool('Close', 'closed')} ${tool('Lock', 'locked')}`;
  return html`<span class="closed wide">${locked === true ? 'Locked' : 'Closed'}</span> ${tool('Open', 'open')}`;
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

/** Closes a side panel that lies over the page. */
export const closeSide = (page: Page, title: string): TemplateResult => html`
  <button type="button" class="icon close-side" aria-label="Close ${title}" @click=${() => page.set({ drawer: undefined })}>
    ${icon('cross')}
  </button>
`;

function openDrawer(page: Page, drawer: 'channels'): void {
  page.set({ drawer });
  page.focus(drawer);
}

function onTheme(page: Page, event: Event): void {
  if (!(event.target instanceof HTMLSelectElement)) return;
  const { value } = event.target;
  const theme = themes.find(([one]) => one === value)?.[0] ?? 'system';
  localStorage.setItem('colours', theme);
  page.set({ theme });
}
