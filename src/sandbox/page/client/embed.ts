import type { APIEmbed } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { attachmentAddress } from './files.ts';
import type { Page } from './page.ts';
import { formatted } from './text.ts';

const colourOf = (colour: number | undefined): string =>
  colour === undefined ? 'var(--rail)' : `#${colour.toString(16).padStart(6, '0')}`;

/** A card. Titles go into descriptions: the element's own title would load emojis from the web. */
export function embed(
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
