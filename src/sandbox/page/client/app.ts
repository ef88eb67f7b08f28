import { html, nothing, type TemplateResult } from 'lit';
import { behindPanel } from './behind.ts';
import { channelList } from './channels.ts';
import { composer } from './composer.ts';
import { examplesDialog } from './first-look.ts';
import { header } from './header.ts';
import { memberList } from './members.ts';
import { messageList } from './messages.ts';
import { modal } from './modal.ts';
import type { Page } from './page.ts';
import { guildPicture } from './pictures.ts';
import { you } from './you.ts';

export function app(page: Page): TemplateResult {
  const { state } = page;
  const closeDrawer = (): void => page.set({ drawer: undefined });
  return html`
    <div
      class="app side-${state.side}"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && state.drawer !== undefined && closeDrawer()}
    >
      <div class="rail" aria-hidden="true"><img src=${guildPicture} alt="" /></div>
      ${channelList(page)} ${you(page)}
      ${header(page)}
      ${messageList(page)} ${notice(page)} ${composer(page)}
      ${state.side === 'behind' ? behindPanel(page) : state.side === 'members' ? memberList(page) : nothing}
      ${state.drawer === undefined ? nothing : html`<button type="button" class="veil" aria-label="Close" @click=${closeDrawer}></button>`}
    </div>
    ${examplesDialog(page)} ${modal(page)}
    <p class="hidden" role="status" aria-live="polite">${state.said}</p>
  `;
}

function notice({ state: { connected, view } }: Page): TemplateResult | typeof nothing {
  if (connected === false) {
    return html`<p class="notice" role="status">Connection lost, trying again…</p>`;
  }
  if (view !== undefined && !view.online) {
    return html`<p class="notice" role="status">panelops is not connected to Discord, so it cannot answer commands.</p>`;
  }
  return nothing;
}
