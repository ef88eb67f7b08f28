import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { addressOf, channelNow, type Page } from './page.ts';
import { isUnread } from './unread.ts';

interface Channel {
  id: string;
  name: string;
  parent?: string;
  archived?: boolean;
}

/** The server's name and its channels, each with its threads. */
export function channelList(page: Page): TemplateResult {
  const { view, drawer } = page.state;
  const channels = view?.channels ?? [];
  return html`
    <nav class="channels ${drawer === 'channels' ? 'open' : ''}" id="channels" tabindex="-1" aria-label="Channels">
      <p class="guild">${view?.guild.name ?? '…'}</p>
      <h2>Text channels</h2>
      <ul>
        ${channels
          .filter((channel) => channel.parent === undefined)
          .map((channel) => {
            const threads = channels.filter((one) => one.parent === channel.id && isListed(page, one));
            return html`<li>
              ${entry(page, channel)}
              ${threads.length === 0 ? nothing : html`<ul class="threads">${threads.map((one) => html`<li>${entry(page, one)}</li>`)}</ul>`}
            </li>`;
          })}
      </ul>
    </nav>
  `;
}

/** An archived thread is listed only while it is open here. */
const isListed = (page: Page, { id, archived }: Channel): boolean => archived !== true || channelNow(page)?.id === id;

function entry(page: Page, { id, name, parent }: Channel): TemplateResult {
  const here = channelNow(page)?.id === id;
  const unread = !here && isUnread(page, id);
  return html`
    <a href=${addressOf(page.state.as, id)} class=${here ? 'here' : unread ? 'unread' : ''} aria-current=${here ? 'page' : nothing}>
      ${parent === undefined ? html`<span aria-hidden="true">#</span>` : icon('thread')} <bdi>${name}</bdi>${unread ? html`<i class="hidden">, unread</i>` : nothing}
    </a>
  `;
}
