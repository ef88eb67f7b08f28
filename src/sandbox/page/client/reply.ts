import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import type { PageMessage } from '../protocol.ts';
import { parse, plain } from './markdown.ts';
import { addressOf, messagesNow, nameOf, type Page } from './page.ts';
import { avatarOf } from './pictures.ts';

const longest = 90;

/** The private card that a message answers, for the person who sees it. */
const privateOriginal = (page: Page, id: string): APIMessage | undefined =>
  messagesNow(page).find(({ message, onlyMe }) => onlyMe && message.id === id)?.message;

/** The line above a message: who used which command, or which message it replies to. */
export function answered(page: Page, { message, used }: PageMessage): TemplateResult | typeof nothing {
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
