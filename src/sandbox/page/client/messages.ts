import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PageMessage } from '../protocol.ts';
import { firstLook } from './first-look.ts';
import { icon } from './icons.ts';
import { messageView } from './message.ts';
import { channelNow, messagesNow, type Page, personNamed } from './page.ts';
import { toEnd } from './scroll.ts';
import { systemTypes } from './system.ts';
import { moment } from './time.ts';
import { messageMenu } from './tools.ts';

/** Messages of one author closer than this share one name. */
const groupingMs = 7 * 60_000;

/** The messages of a channel, or an introduction if it is empty. */
export function messageList(page: Page): TemplateResult {
  const messages = messagesNow(page);
  const { view, unseen } = page.state;
  const channel = channelNow(page);
  return html`
    <main class="messages" ?inert=${page.state.drawer !== undefined} aria-label="Messages in #${channel?.name ?? ''}">
      <div class="scroll" id="scroll" tabindex="0" role="log" aria-live="off" aria-label="Messages">
        <div class="all" id="all">
          ${view === undefined ? nothing : messages.length === 0 ? firstLook(page) : nothing}
          ${repeat(
            messages.map((seen, i) => ({ seen, before: messages[i - 1] })),
            ({ seen }) => seen.message.id,
            ({ seen, before }) => html`${dayBetween(before, seen)} ${messageView(page, seen, follows(before, seen))}`,
          )}
        </div>
      </div>
      ${
        unseen === 0
          ? nothing
          : html`<button type="button" class="unseen" @click=${() => toEnd(page)}>${newsText(page)} ${icon('down')}</button>`
      }
      ${messageMenu(page)}
    </main>
  `;
}

/** An answer to a button far above is not looked for among other new messages. */
function newsText(page: Page): string {
  const { unseen, as } = page.state;
  const me = personNamed(page, as)?.id;
  const fresh = messagesNow(page).slice(-unseen);
  if (fresh.some(({ message }) => message.interaction_metadata?.user.id === me)) return 'Answered below';
  return unseen === 1 ? '1 new message' : `${unseen} new messages`;
}

const at = ({ message }: PageMessage): number => Date.parse(message.timestamp);

function follows(before: PageMessage | undefined, seen: PageMessage): boolean {
  if (before === undefined || seen.used !== undefined || seen.message.message_reference !== undefined) return false;
  if (systemTypes.has(before.message.type) || before.onlyMe !== seen.onlyMe) return false;
  return (
    before.message.author.id === seen.message.author.id && at(seen) - at(before) < groupingMs && !isNewDay(before, seen)
  );
}

const isNewDay = (before: PageMessage | undefined, seen: PageMessage): boolean =>
  before === undefined || new Date(at(before)).toDateString() !== new Date(at(seen)).toDateString();

const dayBetween = (before: PageMessage | undefined, seen: PageMessage): TemplateResult | typeof nothing =>
  isNewDay(before, seen) ? html`<p class="day"><span>${moment(at(seen), 'D', at(seen))}</span></p>` : nothing;
