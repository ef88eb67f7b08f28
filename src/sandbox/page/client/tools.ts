import type { APIMessage } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { menuOf } from './commands.ts';
import { icon } from './icons.ts';
import { addressOf, attempt, messagesNow, type Page, personNamed } from './page.ts';
import { styleMap } from './style-map.ts';

/** The button that opens a message's menu; visible on hover or focus. */
export function tools(page: Page, message: APIMessage): TemplateResult {
  const open = (event: MouseEvent): void => {
    const place = event.currentTarget;
    if (!(place instanceof HTMLElement)) return;
    const { right, bottom } = place.getBoundingClientRect();
    page.set({ menu: { message: message.id, x: right, y: bottom } });
    page.focus('menu-0');
  };
  return html`
    <button
      type="button"
      id="more-${message.id}"
      class="more"
      aria-label="More for this message"
      aria-haspopup="menu"
      aria-expanded=${page.state.menu?.message === message.id}
      @click=${open}
    >
      ${icon('more')}
    </button>
  `;
}

interface Item {
  label: string;
  danger?: boolean;
  run(): void;
}

const width = 220;
/** At most: a phone has larger ones. */
const itemHeight = 44;

/** The open menu of a message: apps first, as in Discord. */
export function messageMenu(page: Page): TemplateResult | typeof nothing {
  const { menu } = page.state;
  const message = messagesNow(page).find((one) => one.message.id === menu?.message)?.message;
  if (menu === undefined || message === undefined) return nothing;
  const items = itemsFor(page, message);
  const apps = menuOf(page.state.view?.commands ?? []).length;
  const left = Math.max(8, Math.min(menu.x - width, innerWidth - width - 8));
  const top = Math.max(8, Math.min(menu.y + 4, innerHeight - items.length * itemHeight - 60));
  const close = (focus = `more-${message.id}`): void => {
    page.set({ menu: undefined });
    page.focus(focus);
  };
  const row = ({ label, danger, run }: Item, i: number): TemplateResult => html`
    <button
      type="button"
      role="menuitem"
      tabindex="-1"
      id="menu-${i}"
      class=${danger ? 'danger' : ''}
      @click=${() => {
        close();
        run();
      }}
    >
      ${label}
    </button>
  `;
  return html`
    <div class="shade" @click=${() => close()}></div>
    <div
      class="menu"
      role="menu"
      aria-label="Message"
      style=${styleMap({ left: `${left}px`, top: `${top}px` })}
      @keydown=${(event: KeyboardEvent) => onMenuKey(page, event, items.length, close)}
    >
      ${apps === 0 ? nothing : html`<div role="group" aria-label="Apps"><p aria-hidden="true">Apps</p>${items.slice(0, apps).map(row)}</div>`}
      ${items.slice(apps).map((item, i) => row(item, apps + i))}
    </div>
  `;
}

function itemsFor(page: Page, message: APIMessage): Item[] {
  const { as, view } = page.state;
  const own = message.author.id === personNamed(page, as)?.id;
  const link = `https://discord.com/channels/${view?.guild.id ?? ''}/${message.channel_id}/${message.id}`;
  return [
    ...menuOf(view?.commands ?? []).map((command) => ({
      label: command,
      run: () => void attempt(page, { what: 'menu', as, message: message.id, command }),
    })),
    ...(own
      ? [
          {
            label: 'Edit Message',
            run: () => {
              page.set({ editing: { message: message.id, text: message.content } });
              page.focus('editor');
            },
          },
        ]
      : []),
    {
      label: 'Copy Message Link',
      run: () => {
        history.replaceState(null, '', addressOf(as, message.channel_id, message.id));
        navigator.clipboard.writeText(link).then(
          () => page.set({ said: 'Link copied.' }),
          () => page.set({ problem: `This browser does not let the page copy. Here is the link: ${link}` }),
        );
      },
    },
    {
      label: 'Delete Message',
      danger: true,
      run: () => void attempt(page, { what: 'delete', as, message: message.id }),
    },
  ];
}

function onMenuKey(page: Page, event: KeyboardEvent, count: number, close: () => void): void {
  const now = Number(document.activeElement?.id.replace('menu-', '') ?? 0);
  const to: Readonly<Record<string, number>> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: count - 1 };
  const next = to[event.key];
  if (next !== undefined) page.focus(`menu-${(next + count) % count}`);
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
}
