import type { APIEmbed, APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { PageMessage } from '../protocol.ts';
import { attachmentAddress, files } from './files.ts';
import { icon } from './icons.ts';
import { parse, plain } from './markdown.ts';
import { addressOf, attempt, messagesNow, nameOf, type Page } from './page.ts';
import { avatarOf } from './pictures.ts';
import { components } from './press.ts';
import { system, systemTypes } from './system.ts';
import { formatted } from './text.ts';
import { moment, sentAt } from './time.ts';
import { tools } from './tools.ts';

/** The text of a message, as read aloud. */
export function spokenOf(page: Page, { message, thinking, failed }: PageMessage): string {
  if (failed !== undefined) return failed;
  if (thinking) return `${message.author.username} is thinking…`;
  const texts = [message.content, ...message.embeds.map((one) => one.description ?? one.title ?? '')];
  return plain(parse(texts.filter(Boolean).join('. ')), (kind, id) => nameOf(page, kind, id));
}

/** One message with everything on it. `follows`: the one before is recent and by the same author. */
export function messageView(page: Page, seen: PageMessage, follows: boolean): TemplateResult {
  const { message, onlyMe, pinged } = seen;
  const { state } = page;
  if (systemTypes.has(message.type)) return system(page, seen);
  const author = message.author;
  const at = Date.parse(message.timestamp);
  const highlighted = pinged.includes(state.as) ? 'pinged' : onlyMe ? 'private' : '';
  return html`
    <article
      id="m-${message.id}"
      tabindex="-1"
      class="row ${highlighted} ${follows ? 'follows' : ''} ${state.target === message.id ? 'target' : ''}"
      aria-label="${author.username}, ${sentAt(at, Date.now())}"
    >
      <discord-message
        author=${author.username}
        avatar=${avatarOf(author.username, author.bot === true)}
        ?bot=${author.bot === true}
        ?edited=${message.edited_timestamp !== null && !seen.thinking}
        ?message-body-only=${follows}
        timestamp=${follows ? moment(at, 't', at) : sentAt(at, Date.now())}
      >
        ${answered(page, seen)} ${body(page, seen)} ${message.embeds.map((one) => embed(page, one))}
        ${files(message.attachments)} ${components(page, seen)}
        ${threadFrom(page, seen)}
        ${onlyMe || seen.failed !== undefined ? dismissal(page, seen) : nothing}
      </discord-message>
      ${message.pinned ? html`<span class="pin" role="img" aria-label="Pinned" title="Pinned">${icon('pin')}</span>` : nothing}
      ${seen.failed === undefined ? tools(page, message) : nothing}
    </article>
  `;
}

function body(page: Page, { message, thinking, failed }: PageMessage): TemplateResult | typeof nothing {
  if (failed !== undefined) return html`<span class="failed">${icon('alert')} ${failed}</span>`;
  if (thinking) {
    return html`<span class="thinking"><span class="dots" aria-hidden="true"></span> ${message.author.username} is thinking…</span>`;
  }
  const { editing } = page.state;
  if (editing?.message === message.id) return editor(page, editing);
  return message.content === '' ? nothing : formatted(page, message.content);
}

function editor(page: Page, editing: { message: string; text: string }): TemplateResult {
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const content = String(new FormData(form).get('content') ?? '');
    const done = await attempt(page, { what: 'edit', as: page.state.as, message: editing.message, content });
    if (done) close();
  };
  const close = (): void => {
    page.set({ editing: undefined });
    page.focus('composer');
  };
  return html`
    <form class="editor" @submit=${save} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
      <input id="editor" name="content" aria-label="Edit message" value=${editing.text} autocomplete="off" dir="auto" />
      <small>Escape to cancel, Enter to save</small>
    </form>
  `;
}

function threadFrom({ state }: Page, { message: { thread } }: PageMessage): TemplateResult | typeof nothing {
  if (thread === undefined) return nothing;
  const closed = state.view?.channels.find(({ id }) => id === thread.id)?.archived === true;
  return html`
    <p class="thread-start" slot="components">
      ${icon('thread')} <a href=${addressOf(state.as, thread.id)}><bdi>${thread.name}</bdi></a>${closed ? ' · archived' : nothing}
    </p>
  `;
}

function dismissal(page: Page, { message, failed }: PageMessage): TemplateResult {
  const dismiss = (): void => {
    // A failure is no message: only this window can dismiss it.
    if (failed !== undefined) page.set({ dismissed: new Set([...page.state.dismissed, message.id]) });
    else void attempt(page, { what: 'delete', as: page.state.as, message: message.id });
    page.focus('composer');
  };
  return html`
    <p class="only-you" slot="components" title=${ifDefined(failed)}>
      ${icon('eye')} Only you can see this ·
      <button class="link" type="button" @click=${dismiss}>Dismiss message</button>
    </p>
  `;
}

const longest = 90;

/** The private card that a message answers, for the person who sees it. */
const privateOriginal = (page: Page, id: string): APIMessage | undefined =>
  messagesNow(page).find(({ message, onlyMe }) => onlyMe && message.id === id)?.message;

/** The line above a message: who used which command, or which message it replies to. */
function answered(page: Page, { message, used }: PageMessage): TemplateResult | typeof nothing {
  if (used !== undefined) {
    return html`<discord-command
      slot="reply"
      author=${used.who}
      avatar=${avatarOf(used.who)}
      command=${used.command}
    ></discord-command>`;
  }
  const reference = message.message_reference;
  if (reference?.message_id === undefined) return nothing;
  const original = message.referenced_message ?? privateOriginal(page, reference.message_id);
  if (original === undefined) {
    // A private message has not been deleted: only its reader has it, and Discord sends it to nobody else.
    return message.interaction_metadata ? nothing : html`<discord-reply slot="reply" deleted></discord-reply>`;
  }
  const said = plain(parse(original.content || (original.embeds[0]?.title ?? '')), (kind, id) =>
    nameOf(page, kind, id),
  );
  const [line = ''] = said.split('\n');
  const { username, bot } = original.author;
  const short = line.length > longest ? `${line.slice(0, longest - 1)}…` : line || 'a message';
  const to = addressOf(page.state.as, reference.channel_id, original.id);
  // White space is significant there, so there is none around the link.
  return html`<discord-reply
    slot="reply"
    author=${username}
    avatar=${avatarOf(username, bot === true)}
    ?bot=${bot === true}
    ?edited=${original.edited_timestamp !== null}
    ><a class="quoted" href=${to} dir="auto">${short}</a></discord-reply
  >`;
}

const colourOf = (colour: number | undefined): string =>
  colour === undefined ? 'var(--rail)' : `#${colour.toString(16).padStart(6, '0')}`;

/** A card. Titles go into descriptions: the element's own title would load emojis from the web. */
function embed(
  page: Page,
  { color, author, title, description, fields = [], footer, image }: APIEmbed,
): TemplateResult {
  const picture = image === undefined ? undefined : attachmentAddress(image.url);
  return html`
    <discord-embed slot="embeds" color=${colourOf(color)}>
      <discord-embed-description slot="description">
        ${author === undefined ? nothing : html`<p class="embed-author"><bdi>${author.name}</bdi></p>`}
        ${title === undefined ? nothing : html`<p class="embed-title">${formatted(page, title)}</p>`}
        ${description === undefined ? nothing : formatted(page, description)}
        ${fields.map(
          ({ name, value }) => html`<dl><dt>${formatted(page, name)}</dt><dd>${formatted(page, value)}</dd></dl>`,
        )}
        ${picture === undefined ? nothing : html`<img class="picture" src=${picture} alt="Picture of the card" />`}
      </discord-embed-description>
      ${
        footer === undefined
          ? nothing
          : html`<discord-embed-footer slot="footer"><bdi>${footer.text}</bdi></discord-embed-footer>`
      }
    </discord-embed>
  `;
}
