import { html, nothing, type TemplateResult } from 'lit';
import type { PageMessage } from '../protocol.ts';
import { addressOf, type Page } from './page.ts';
import { sentAt } from './time.ts';

const pinAdded = 6;
const threadCreated = 18;
const threadStart = 21;

/** Discord's system messages. */
export const systemTypes: ReadonlySet<number> = new Set([pinAdded, threadCreated, threadStart]);

/** Discord's text about a pin or a thread, with a link to it. */
export function system({ state }: Page, { message }: PageMessage): TemplateResult {
  const { author, message_reference: reference, type } = message;
  const at = sentAt(Date.parse(message.timestamp), Date.now());
  const to = reference && addressOf(state.as, reference.channel_id, reference.message_id);
  const link = (words: string): TemplateResult =>
    to === undefined ? html`${words}` : html`<a href=${to}>${words}</a>`;
  const who = html`<b><bdi>${author.username}</bdi></b>`;
  const says: Readonly<Record<number, TemplateResult>> = {
    [pinAdded]: html`${who} pinned ${link('a message')} to this channel.`,
    [threadCreated]: html`${who} started a thread: ${link(message.content)}`,
    [threadStart]: html`This thread began with ${link('a message')} in another channel.`,
  };
  return html`
    <article id="m-${message.id}" tabindex="-1" class="row system" aria-label="${author.username}, ${at}">
      <discord-system-message type=${type === pinAdded ? 'pin' : 'thread'} .timestamp=${at}>
        <span class="text">${says[type] ?? nothing}</span>
      </discord-system-message>
    </article>
  `;
}
