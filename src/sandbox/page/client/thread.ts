import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { addressOf, attempt, type channelNow, type Page } from './page.ts';

type Thread = NonNullable<ReturnType<typeof channelNow>>;

export function back({ state }: Page, { parent }: Thread): TemplateResult | typeof nothing {
  const channel = state.view?.channels.find(({ id }) => id === parent);
  if (channel === undefined) return nothing;
  return html`<a class="back" href=${addressOf(state.as, channel.id)}>${icon('back')} <span>#<bdi>${channel.name}</bdi></span></a>`;
}

/** The menu that closes, locks or reopens a thread. The server refuses a person who may not. */
export function threadMenu(page: Page, { id, archived, locked }: Thread): TemplateResult {
  const item = (word: string, to: 'closed' | 'locked' | 'open'): TemplateResult => html`
    <button
      type="button"
      popovertarget="thread-menu"
      popovertargetaction="hide"
      @click=${() => attempt(page, { what: 'thread', as: page.state.as, thread: id, to })}
    >
      ${word} thread
    </button>
  `;
  return html`
    ${archived === true ? html`<span class="closed">${locked === true ? 'Locked' : 'Closed'}</span>` : nothing}
    <button type="button" class="icon" title="More for this thread" aria-label="More for this thread" popovertarget="thread-menu">
      ${icon('more')}
    </button>
    <div class="menu of-thread" id="thread-menu" popover>
      ${archived === true ? item('Open', 'open') : html`${item('Close', 'closed')} ${item('Lock', 'locked')}`}
    </div>
  `;
}
