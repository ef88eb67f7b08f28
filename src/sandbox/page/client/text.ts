import { html, type TemplateResult } from 'lit';
import { type Piece, parse } from './markdown.ts';
import { addressOf, nameOf, type Page } from './page.ts';

/** Draws a text of Discord's markdown. Its content is inserted as text, never as markup. */
export const formatted = (page: Page, text: string): TemplateResult =>
  html`<span class="text" dir="auto">${parse(text).map((piece) => drawn(page, piece))}</span>`;

function drawn(page: Page, piece: Piece): TemplateResult | string {
  const inner = (pieces: readonly Piece[]) => pieces.map((one) => drawn(page, one));
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'bold':
      return html`<strong>${inner(piece.inner)}</strong>`;
    case 'italic':
      return html`<em>${inner(piece.inner)}</em>`;
    case 'underline':
      return html`<u>${inner(piece.inner)}</u>`;
    case 'strike':
      return html`<s>${inner(piece.inner)}</s>`;
    case 'small':
      return html`<small>${inner(piece.inner)}</small>`;
    case 'code':
      return html`<code dir="auto">${piece.text}</code>`;
    case 'block':
      return html`<pre dir="auto" tabindex="0">${piece.text}</pre>`;
    case 'time':
      return html`<running-time at=${piece.at} look=${piece.style}></running-time>`;
    case 'user':
    case 'role':
      return html`<bdi class="mention">${nameOf(page, piece.kind, piece.id)}</bdi>`;
    case 'channel':
      return html`<a class="mention" href=${addressOf(page.state.as, piece.id)}><bdi>${nameOf(page, 'channel', piece.id)}</bdi></a>`;
    case 'command':
      return html`<bdi class="mention">/${piece.name}</bdi>`;
    case 'place':
      return html`<a href=${addressOf(page.state.as, piece.channel, piece.message)}>${inner(piece.label)}</a>`;
    default:
      return html`<span class="address" title=${piece.url}>${inner(piece.label)}</span>`;
  }
}
