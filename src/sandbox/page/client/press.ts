import type { APIButtonComponent, APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PageMessage } from '../protocol.ts';
import { attempt, type Page } from './page.ts';

const row = 1;
const button = 2;
const looks: Readonly<Record<number, string>> = {
  1: 'primary',
  2: 'secondary',
  3: 'success',
  4: 'danger',
  5: 'secondary',
};

export function components(page: Page, { message, thinking, failed }: PageMessage): TemplateResult | typeof nothing {
  const rows = (message.components ?? []).filter((one) => one.type === row);
  if (rows.length === 0 || thinking || failed !== undefined) return nothing;
  return html`${rows.map(
    ({ components: parts }) => html`
      <discord-action-row slot="components">
        ${repeat(
          parts.filter((part) => part.type === button),
          // A pressed button that is gone must not live on, with the focus, as the one that took its place.
          (part) => ('custom_id' in part ? part.custom_id : ''),
          (part) => pressable(page, message, part),
        )}
      </discord-action-row>
    `,
  )}`;
}

function pressable(page: Page, message: APIMessage, part: APIButtonComponent): TemplateResult | typeof nothing {
  // Link buttons would leave the page, and premium buttons exist only in shops.
  if (!('custom_id' in part)) return nothing;
  const key = `${message.id}/${part.custom_id}`;
  const busy = page.state.pressed.has(key);
  const press = async (): Promise<void> => {
    page.set({ pressed: new Set([...page.state.pressed, key]) });
    const done = await attempt(page, {
      what: 'click',
      as: page.state.as,
      message: message.id,
      customId: part.custom_id,
    });
    if (!done) page.set({ pressed: new Set([...page.state.pressed].filter((one) => one !== key)) });
  };
  return html`
    <button
      type="button"
      class="button ${looks[part.style] ?? 'secondary'}"
      ?disabled=${part.disabled === true}
      aria-busy=${busy}
      @click=${press}
    >
      ${part.emoji?.name == null ? nothing : html`<span>${part.emoji.name} </span>`}<bdi>${part.label ?? ''}</bdi>
    </button>
  `;
}
